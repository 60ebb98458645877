import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { SCHEMA } from '../../../../sandbox/actual/schema.ts';
import { BudgetDatabase } from '../../../../src/connectors/destinations/actual/budget-database.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { DEFAULT_LIMITS } from '../../../../src/vocabulary/limits.ts';

const MOST = DEFAULT_LIMITS.budget_file_bytes;
const MANY = 2000;
const INTERIOR = 5;
const CELLS = 300;

function fileWith(sql: string): Buffer {
  using db = new DatabaseSync(':memory:');
  db.exec(SCHEMA);
  db.exec(sql);
  return Buffer.from(db.serialize());
}

/** A page of a table with so many children, each of them the same page. */
function pageOf(child: number, size: number): Buffer {
  const page = Buffer.alloc(size);
  let content = size;
  for (let at = 0; at < CELLS; at++) {
    content -= 5;
    page.writeUInt32BE(child, content);
    page[content + 4] = at % 128;
    page.writeUInt16BE(content, 12 + 2 * at);
  }
  page[0] = INTERIOR;
  page.writeUInt16BE(CELLS, 3);
  page.writeUInt16BE(content, 5);
  page.writeUInt32BE(child, 8);
  return page;
}

/** The file with one page of `table` in the place of many: each level more multiplies its rows by 300. */
function repeating(file: Buffer, root: number, header = 0): Buffer {
  const size = file.readUInt16BE(16);
  const begin = (root - 1) * size + header;
  assert.equal(file[begin], INTERIOR);
  const child = file.readUInt32BE(begin + 8);
  const made = Buffer.from(file);
  for (let at = 0; at < file.readUInt16BE(begin + 3); at++) {
    made.writeUInt32BE(child, (root - 1) * size + file.readUInt16BE(begin + 12 + 2 * at));
  }
  return made;
}

/** The same with a level more between. */
function multiplied(file: Buffer, root: number): Buffer {
  const size = file.readUInt16BE(16);
  const leaf = file.readUInt32BE((root - 1) * size + 8);
  const pages = file.length / size;
  const made = Buffer.concat([file, pageOf(leaf, size)]);
  pageOf(pages + 1, size).copy(made, (root - 1) * size);
  made.writeUInt32BE(pages + 1, 28);
  return made;
}

function rootOf(file: Buffer, table: string): number {
  using db = new DatabaseSync(':memory:');
  db.deserialize(file);
  return Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage);
}

const PAYEES = `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${MANY})
  INSERT INTO payees (id, name, tombstone) SELECT 'p' || x, 'n', 0 FROM n`;

describe('a budget file of a hostile server', () => {
  test('whose pages are used more than once, so that a table has no end, is refused before it is read', () => {
    const file = fileWith(PAYEES);
    using plain = new BudgetDatabase(file, MOST);
    assert.equal(plain.first('SELECT count(*) AS n FROM payees')?.n, MANY);
    const root = rootOf(file, 'payees');
    assert.throws(() => new BudgetDatabase(multiplied(file, root), MOST), DestinationFailure);
  });

  test('whose list of tables has no end is refused before it is read', () => {
    const file = fileWith(
      Array.from({ length: 100 }, (_, at) => `CREATE TABLE filler_${at} (id TEXT, a, b, c, d, e, f)`).join(
        ';',
      ),
    );
    using plain = new BudgetDatabase(file, MOST);
    assert.equal(plain.first('SELECT count(*) AS n FROM filler_1')?.n, 0);
    assert.throws(
      () => new BudgetDatabase(repeating(file, 1, 100), MOST),
      /the pages of its list of tables are used more than once/,
    );
  });

  test('cannot have a row run an expression when it is written', async () => {
    const defaulted =
      'DROP TABLE payee_mapping; CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT, x DEFAULT (abs(-7)))';
    assert.throws(() => new BudgetDatabase(fileWith(defaulted), MOST), DestinationFailure);
    using database = new BudgetDatabase(
      fileWith(
        `CREATE INDEX computed ON payees (length(name)); CREATE INDEX partial ON payees (id) WHERE length(name) > 3;
         CREATE INDEX plain ON payees (name)`,
      ),
      MOST,
    );
    const indexes = database.all("SELECT name FROM pragma_index_list('payees') WHERE origin = 'c'");
    assert.deepEqual(
      indexes.map(({ name }) => name),
      ['plain'],
    );
  });

  test('does not grow beyond twice the limit, whatever the server sends', async () => {
    const most = 1024 * 1024;
    using database = new BudgetDatabase(fileWith(''), most);
    const message = (at: number) => ({
      timestamp: `2026-11-22T10:00:00.000Z-${at.toString(16).padStart(4, '0').toUpperCase()}-0123456789abcdef`,
      dataset: 'notes',
      row: 'x'.repeat(1000),
      column: 'note',
      value: 'n',
    });
    const filling = database.apply(Array.from({ length: 4000 }, (_, at) => message(at)));
    await assert.rejects(filling, /raise LIMIT_BUDGET_FILE_BYTES/);
  });
});

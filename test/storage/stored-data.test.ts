import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { cell, tableRows } from '../house/markdown.ts';
import { readText } from '../house/tree.ts';
import { openTestDatabase } from '../support/database.ts';
import { INTERNAL_COLUMNS, STORED_DATA } from './stored-data.ts';

const columnsIn = (columns: Readonly<Record<string, string>>): string[] =>
  Object.entries(columns).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`));

describe('docs/your-data.md', () => {
  test('accounts for every column of the database but ids, times and flags, each once', async () => {
    const { database, close } = await openTestDatabase();
    const { rows } = await sql<{ column: string }>`
      select table_name || '.' || column_name as column from information_schema.columns
      where table_schema = current_schema()
        and data_type not in ('uuid', 'timestamp with time zone', 'boolean')`
      .execute(database.db)
      .finally(close);
    const known = [
      ...STORED_DATA.flatMap(({ columns }) => columnsIn(columns)),
      ...columnsIn(INTERNAL_COLUMNS),
    ];
    assert.ok(rows.length > 250, `${rows.length}`);
    assert.deepEqual(known.toSorted(), rows.map(({ column }) => column).toSorted());
  });

  test('says of every kind of data how it is stored, and of no other', () => {
    const documented = tableRows(readText('docs/your-data.md'), 'In detail').map((row) => [
      cell(row, 'Data'),
      cell(row, 'Stored'),
    ]);
    assert.deepEqual(
      documented,
      STORED_DATA.map(({ kind, as }) => [kind, as]),
    );
  });
});

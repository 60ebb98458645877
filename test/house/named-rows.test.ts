import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { declaredErrors } from '../../src/surfaces/v2/openapi/declared-errors.ts';
import { ERROR_CODES } from '../../src/vocabulary/error-codes.ts';
import { FIXED_LIMITS, LIMIT_NAMES } from '../../src/vocabulary/limits.ts';
import * as states from '../../src/vocabulary/states.ts';
import { section } from './markdown.ts';
import { namedRows, ROW_KINDS, type RowKind } from './named-rows.ts';
import { readText, readTree } from './tree.ts';

const HERE = 'test/house/named-rows.test.ts';
const named = namedRows(readTree('test', '.test.ts')).filter(({ path }) => path !== HERE);

const limits: readonly string[] = [
  ...LIMIT_NAMES,
  ...Object.keys(FIXED_LIMITS),
  // The plans' other numbers are shown and refuse nothing.
  'plan_connections',
  'plan_syncs',
];

const moves: readonly string[] = Object.entries(states)
  .filter(([name]) => name.endsWith('_MOVES'))
  .flatMap(([name, table]) => {
    const resource = name.slice(0, -'_MOVES'.length).toLowerCase();
    return Array.isArray(table) ? table.map((move) => `${resource}: ${String(move.by)}`) : [];
  });

/** What an operation declares, test/conformance provokes; the rest is raised outside every operation. */
const declared: ReadonlySet<string> = new Set(OPERATIONS.flatMap((operation) => declaredErrors(operation)));
const waiting = section(readText('docs/errors.md'), 'Not raised yet');
const codes: readonly string[] = Object.keys(ERROR_CODES).filter(
  (code) => !declared.has(code) && !waiting.includes(`(#${code})`),
);

const ROWS: Readonly<Record<RowKind, { readonly rows: readonly string[]; readonly task: string }>> = {
  limit: {
    rows: limits,
    task: 'sets the limit to a small number and sees the last thing allowed and the first one refused or cut',
  },
  move: { rows: moves, task: 'takes the resource through the move and sees its status before and after' },
  code: { rows: codes, task: 'makes the service answer with the code' },
};

for (const kind of ROW_KINDS) {
  const { rows, task } = ROWS[kind];

  test(`every ${kind} is named by a test that exercises it`, () => {
    assert.ok(rows.length > 0);
    const found = new Set(named.filter((one) => one.kind === kind).map((one) => one.row));
    const missing = rows.filter((row) => !found.has(row));
    assert.deepEqual(
      missing.map((row) => `[${kind} ${row}]`),
      [],
      `No test names these. Write one that ${task}, and end its name with what is in brackets: ${missing.map((row) => `[${kind} ${row}]`).join(' ')}`,
    );
  });

  test(`every ${kind} a test names exists`, () => {
    const known = new Set(kind === 'code' ? Object.keys(ERROR_CODES) : rows);
    assert.deepEqual(
      named.filter((one) => one.kind === kind && !known.has(one.row)),
      [],
    );
  });
}

test('a move is distinguished from every other by its resource and its cause', () => {
  assert.equal(new Set(moves).size, moves.length);
});

test('a comment or code names no row, only a text does', () => {
  const tree = new Map([
    ['a.test.ts', "test('holds [limit api_keys] [move sync: the run failed]', () => undefined);\n"],
    ['b.test.ts', "// [limit api_keys]\n/* '[code route_missing]' */\nconst list = [limit [code, x]];\n"],
    ['c.test.ts', 'test(`GET is refused [code route_missing]`, () => undefined);\n'],
  ]);
  assert.deepEqual(
    namedRows(tree).map(({ kind, row, path }) => `${path} ${kind} ${row}`),
    ['a.test.ts limit api_keys', 'a.test.ts move sync: the run failed', 'c.test.ts code route_missing'],
  );
});

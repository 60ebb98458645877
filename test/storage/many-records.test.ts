import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { withClient } from '../../scripts/lib/scale/databases.ts';
import { fill } from '../../scripts/lib/scale/fill.ts';
import { type ExplainedStatement, explainAll, sizesOf } from '../../scripts/lib/scale/plans.ts';
import { type RecordedStatement, StatementRecorder } from '../../scripts/lib/scale/recorded-statements.ts';
import { CROSSING, routeOf, TABLE_PLACES } from '../../scripts/lib/scale/routing.ts';
import { work } from '../../scripts/lib/scale/workload.ts';
import { newKeyEntry, parseKeyring } from '../../src/platform/keyring.ts';
import { readText } from '../house/tree.ts';
import { createServerDatabase, openTestDatabase, type ServerDatabase } from '../support/database.ts';

const [FEW, MANY] = [600, 3_000];
/** Enough for the planner to prefer an index to reading everything. */
const SMALL = {
  runsPerSync: 10,
  eventsPerRecord: 10,
  auditPerRecord: 5,
  ledgerRows: [20, 2],
  earlyRecords: 100,
} as const;
const MANY_ROWS = 1_000;
/** With five times as many records, the estimated cost of a statement grows by less than this, beside what is small. */
const MOST_GROWTH = 3;
const SMALL_COST = 100;

/** What may read everything, and why. */
const MAY_SCAN: readonly (readonly [shape: RegExp, why: string])[] = [
  [/convert_from\(substring/, 'at a start, for the doctor and in a rotation: which keys seal what'],
  [/^select \* from "account_records" order by "id"$/, 'the operator lists all account records'],
  [/from rejected_rows group by origin/, 'a scrape of the metrics counts rows that are set aside'],
  [/count\(\*\) filter \(where age <= /, 'a scrape of the metrics counts syncs by their age'],
  [/^delete from "rate_counters" where "expire" < /, 'holds the callers of the last minutes alone'],
];

test('every table has a place in an installation that is divided', async () => {
  const database = await openTestDatabase();
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(
    database.db,
  );
  await database.close();
  assert.deepEqual([...TABLE_PLACES.keys()].toSorted(), rows.map(({ name }) => name).toSorted());
});

test('what refers to a row is found by an index when the row is deleted', async () => {
  const database = await openTestDatabase();
  const { rows } = await sql<{ readonly name: string }>`
    select conname as name from pg_constraint as reference
    where contype = 'f' and connamespace = (select oid from pg_namespace where nspname = current_schema()) and not exists (
      select from pg_index where indrelid = reference.conrelid
        and indkey[0] = any (reference.conkey)
        and (indpred is null or pg_get_expr(indpred, indrelid) ~ '^[(][a-z_]+ IS NOT NULL[)]$')
    )`.execute(database.db);
  await database.close();
  assert.deepEqual(rows, []);
});

test('docs/scale.md lists each statement that names no account record, and nothing else', () => {
  const section = /## Dividing account records[\s\S]*/.exec(readText('docs/scale.md'))?.[0] ?? '';
  const rows = [...section.matchAll(/^\| ([^|]+) \| (as it is|sum|directory) \| (holds|refused) \|/gm)];
  assert.deepEqual(
    rows.map(([, work, shards, citus]) => ({ work, shards, citus })),
    CROSSING.map(({ work: name, shards, citus }) => ({ work: name, shards, citus })),
  );
});

const onServer = { skip: (process.env.DATABASE_URL ?? '') === '' };

describe('of what the service asks a Postgres server', onServer, () => {
  let statements: readonly RecordedStatement[] = [];
  let few: ReadonlyMap<string, ExplainedStatement> = new Map();
  let many: readonly ExplainedStatement[] = [];
  const databases: ServerDatabase[] = [];

  const explained = async (records: number): Promise<readonly ExplainedStatement[]> => {
    const database = await createServerDatabase();
    assert.ok(database);
    databases.push(database);
    return withClient(database.url, async (client) => {
      await fill(client, records, parseKeyring(newKeyEntry(), 'a test'), SMALL);
      return explainAll(client, statements, await sizesOf(client), MANY_ROWS);
    });
  };

  before(async () => {
    using recorder = new StatementRecorder();
    const asked = await work({});
    assert.deepEqual(
      asked.filter(({ status }) => status >= 500),
      [],
    );
    statements = recorder.statements;
    few = new Map((await explained(FEW)).map((one) => [one.shape, one]));
    many = await explained(MANY);
  });
  after(async () => {
    for (const database of databases) await database.drop();
  });

  test('no statement reads the whole of a table that grows with the number of account records', () => {
    assert.ok(statements.length > 400, String(statements.length));
    const scanning = many.filter(
      ({ shape, scanned }) => scanned.length > 0 && !MAY_SCAN.some(([allowed]) => allowed.test(shape)),
    );
    assert.deepEqual(
      scanning.map(({ shape, scanned }) => ({ scanned, shape })),
      [],
    );
  });

  test('no statement costs much more with five times as many account records', () => {
    const growing = many.flatMap(({ shape, cost }) => {
      const before = few.get(shape)?.cost ?? 0;
      const may =
        cost < before * MOST_GROWTH + SMALL_COST || MAY_SCAN.some(([allowed]) => allowed.test(shape));
      return may ? [] : [{ before, cost, shape }];
    });
    assert.deepEqual(growing, []);
  });

  test('each statement names its account record, is of the directory or of processes, or is listed as neither', () => {
    const unknown = statements.filter(({ shape }) => routeOf(shape).route === 'unknown');
    assert.deepEqual(
      unknown.map(({ shape }) => shape),
      [],
    );
  });
});

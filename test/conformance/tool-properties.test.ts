import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Json as JsonSchema } from '../../src/operations/mcp/json-schema.ts';
import type { Tool } from '../../src/operations/mcp/tool.ts';
import { TOOLS } from '../../src/operations/mcp/tool-table.ts';
import type { OwnerId } from '../../src/vocabulary/ids.ts';
import type { Json } from '../support/v2-client.ts';
import { type Agent, agentOf } from '../surfaces/mcp/support/agent.ts';
import type { Thing } from './asks.ts';
import { Stage } from './stage.ts';
import { makeThings, type Things } from './things.ts';

/** Argument sets for each tool; more where there is time for them (.ci/run). */
const SETS = Number(process.env.MCP_ARGUMENT_SETS ?? 6);
const SEED = Number(process.env.MCP_SEED ?? 20_261_123);

/** An id inside a text that is stored as it was sent. */
const inAText = (id: string): string => `about <${id}>`;
const IN_A_TEXT = /about <[^>]+>/g;

const THINGS: readonly Thing[] = [
  'account',
  'connection',
  'consent',
  'api_key',
  'link_session',
  'destination',
  'destination_link',
  'sync',
  'sync_run',
  'category',
  'ruleset',
  'rule',
  'webhook_delivery',
  'transaction',
  'event_destination',
  'event',
  'simplefin_setup_token',
  'simplefin_app',
];

describe(`${SETS} argument sets for each tool never break the protocol, and touch no one else`, () => {
  let stage: Stage;
  let victim: Things;
  let agent: Agent;
  let foreign: readonly string[];
  let own: readonly string[];
  let untouched: ReadonlyMap<string, string>;

  before(async () => {
    stage = await Stage.open();
    victim = await makeThings(await stage.linked('sole-trader'), stage.service);
    const caller = await makeThings(await stage.linked(), stage.service);
    agent = agentOf(stage.service.url, caller.owner.key);
    foreign = [...THINGS.map(victim.ids), ...(await uuidsOf(victim.owner.key))];
    own = [...THINGS.map(caller.ids), ...(await uuidsOf(caller.owner.key))];
    // What the victim did itself must not be written down later.
    await stage.service.app.apiKeyAuthenticator.flushLastUsed();
    untouched = await rowsOf(victim.owner.record.id);
  });
  after(() => stage.close());

  /** The ids of v1, by which the six tools name things. */
  async function uuidsOf(key: string): Promise<string[]> {
    const headers = { authorization: `Bearer ${key}` };
    const { data }: Json = await (await fetch(`${stage.service.url}/v1/accounts`, { headers })).json();
    return data.flatMap(({ id, connectionId }: Json) => [id, connectionId]);
  }

  /** Every row of an account record, by table. */
  async function rowsOf(owner: OwnerId): Promise<ReadonlyMap<string, string>> {
    const { db } = stage.service.app.database;
    const { rows: tables } = await sql<{
      name: string;
    }>`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'account_record' order by 1`.execute(db);
    assert.ok(tables.length > 10);
    const found = new Map<string, string>();
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t
        where account_record = ${owner} order by 1`.execute(db);
      found.set(name, JSON.stringify(rows));
    }
    return found;
  }

  for (const [at, tool] of TOOLS.entries()) {
    test(tool.name, async () => {
      for (const args of fc.sample(argumentsFor(tool, own, foreign), { numRuns: SETS, seed: SEED + at })) {
        const { http, error, failure } = await agent.call(tool.name, args);
        const about = `${JSON.stringify(args)} ${http.text.slice(0, 500)}`;
        assert.equal(http.status, 200, about);
        if (error !== null) assert.equal(error.code, -32_602, about);
        if (failure !== null) assert.notEqual(failure.type, 'api_error', about);
        // An id that was sent may be repeated, and so may one that an earlier call put into a text.
        const sent = JSON.stringify(args);
        const answered = http.text.replaceAll(IN_A_TEXT, '');
        const found = foreign.filter((id) => !sent.includes(id) && answered.includes(id));
        assert.deepEqual(found, [], about);
      }
    });
  }

  test('nothing of the other account record has changed', async () => {
    for (const [table, rows] of await rowsOf(victim.owner.record.id)) {
      assert.equal(rows, untouched.get(table), table);
    }
  });
});

/** Mostly valid for the schema, with ids of both account records, and sometimes not. */
function argumentsFor(
  tool: Tool,
  own: readonly string[],
  foreign: readonly string[],
): fc.Arbitrary<Record<string, unknown>> {
  const ids = fc.constantFrom(...own, ...foreign);
  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constant('\u0000'),
  );
  const entries = Object.entries(tool.input.properties).map(([name, schema]) => {
    const likely = likelyValue(schema, ids, 0);
    const required = tool.input.required?.includes(name) === true;
    return fc.oneof(
      { weight: required ? 18 : 5, arbitrary: likely.map((value) => [name, value] as const) },
      { weight: 1, arbitrary: junk.map((value) => [name, value] as const) },
      { weight: required ? 1 : 6, arbitrary: fc.constant(null) },
    );
  });
  const extra = fc.oneof(
    { weight: 20, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('__proto__', 'constructor', 'toString', '', 'x'), junk),
    },
  );
  return fc
    .tuple(...entries, extra)
    .map((found) => Object.fromEntries(found.filter((entry) => entry !== null)));
}

function likelyValue(schema: JsonSchema, ids: fc.Arbitrary<string>, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > 3)
    return fc.jsonValue({ maxDepth: 1 });
  const inner = (one: JsonSchema | undefined): fc.Arbitrary<unknown> =>
    likelyValue(one ?? true, ids, depth + 1);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(inner));
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: -1, max: 600 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema.items), { maxLength: 3 });
    case 'object':
      return schema.properties === undefined
        ? fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 10 }), { maxKeys: 2 })
        : fc.record(
            Object.fromEntries(
              Object.entries(Object(schema.properties)).map(([name, one]) => [name, inner(jsonOf(one))]),
            ),
            {
              requiredKeys: [],
            },
          );
    default:
      return fc.oneof(
        { weight: 4, arbitrary: 'pattern' in schema ? ids : ids.map(inAText) },
        { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('2026-11-01', '2026-10-01', 'https://app.example.test/back', '1d'),
        },
      );
  }
}

function jsonOf(value: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(value));
}

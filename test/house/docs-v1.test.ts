import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_AT_ONCE } from '../../src/features/linking/connections.ts';
import { OPERATIONS } from '../../src/operations/operation-table.ts';
import { V1_STATUS_OF } from '../../src/operations/v1/connections.ts';
import { V1_ENDPOINTS } from '../../src/operations/v1/endpoint-table.ts';
import { ERROR_CODES } from '../../src/vocabulary/error-codes.ts';
import { LIMITS } from '../../src/vocabulary/limits.ts';
import { RATE_TIERS } from '../../src/vocabulary/rate-tiers.ts';
import { CONNECTION_STATUSES } from '../../src/vocabulary/states.ts';
import {
  V1_ANSWERED,
  V1_ANSWERS,
  V1_BREAKER_OPEN,
  V1_MISSING,
  V1_REFUSALS,
  v1RowOf,
} from '../../src/vocabulary/v1-errors.ts';
import { cell, plain, section, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/v1.md');
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const codeCell = (code: string | null) => code ?? 'none';

test('docs/v1.md has the endpoints there are, with scope, tier, gate and parameters', () => {
  const documented = tableRows(page, 'Endpoints')
    .filter((row) => Object.hasOwn(row, 'Path'))
    .map((row) => [
      plain(cell(row, 'Path')),
      quoted(cell(row, 'Scope')),
      plain(cell(row, 'Tier')),
      plain(cell(row, 'Gate')),
      quoted(cell(row, 'Parameters')),
    ]);
  const known = V1_ENDPOINTS.map(({ path, scope, orScopes, tier, planGate, query }) => [
    path,
    [scope, ...orScopes],
    tier,
    planGate ?? 'none',
    Object.keys(query.properties),
  ]);
  assert.deepEqual(
    documented.map(([path, scope, tier, gate, parameters]) => [
      path,
      scope,
      tier,
      gate,
      [parameters].flat().toSorted(),
    ]),
    known.map(([path, scope, tier, gate, parameters]) => [
      path,
      scope,
      tier,
      gate,
      [parameters].flat().toSorted(),
    ]),
  );
});

test('every call of v2 that docs/v1.md leads to is an operation', () => {
  const known = OPERATIONS.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  const named = tableRows(page, 'Endpoints')
    .filter((row) => Object.hasOwn(row, 'Path'))
    .flatMap((row) => quoted(cell(row, 'v2')));
  assert.ok(named.length >= V1_ENDPOINTS.length);
  assert.deepEqual(
    named.filter((call) => !known.includes(call)),
    [],
  );
});

test('docs/v1.md has the refusals of v1 and no other, with status and code', () => {
  const documented = tableRows(page, 'Refusals').map((row) => [
    plain(cell(row, 'Refusal')),
    { status: Number(cell(row, 'Status')), code: plain(cell(row, '`code`')) },
  ]);
  const known = Object.entries(V1_REFUSALS).map(([name, { status, code }]) => [
    name,
    { status, code: codeCell(code) },
  ]);
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(known));
});

test('docs/v1.md has the codes that v1 answers in a way of its own and no other', () => {
  const documented = tableRows(page, 'Codes of the service').map((row) => [
    plain(cell(row, 'Code of the service')),
    [cell(row, 'Status'), plain(cell(row, '`code` in v1'))],
  ]);
  const second: Readonly<Record<string, string>> = { provider_wait: '429 or 503' };
  const known = V1_ANSWERED.map((code) => {
    const row = v1RowOf(code);
    return [code, [second[code] ?? String(row.status), codeCell(row.code)]];
  });
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(known));
  assert.equal(V1_ANSWERED.length, Object.keys(V1_ANSWERS).length);
  const said = section(page, 'Codes of the service');
  for (const { code } of [...Object.values(V1_MISSING), V1_BREAKER_OPEN])
    assert.ok(said.includes(`\`${code}\``));
  assert.ok(
    said.includes(`\`${v1RowOf('too_many_concurrent_requests').code ?? 'Too many concurrent requests'}\``),
  );
});

test('every other code has in v1 the status and the name of docs/errors.md, and the page names some', () => {
  const [intro = ''] = section(page, 'Codes of the service').trim().split('\n');
  const named = quoted(intro);
  assert.ok(named.length > 8);
  for (const code of Object.keys(ERROR_CODES)) {
    const own = V1_ANSWERED.some((answered) => answered === code);
    assert.ok(!own || !named.includes(code), `${code} has a row of its own`);
  }
  for (const name of named) assert.ok(Object.hasOwn(ERROR_CODES, name), name);
});

test('docs/v1.md shows what v1 calls each status of a connection', () => {
  const documented = tableRows(page, 'Connections').flatMap((row) =>
    quoted(cell(row, 'In v2')).map((status) => [status, plain(cell(row, '`status`'))]),
  );
  assert.deepEqual(Object.fromEntries(documented), V1_STATUS_OF);
  assert.deepEqual(Object.keys(V1_STATUS_OF).toSorted(), [...CONNECTION_STATUSES].toSorted());
});

test('docs/v1.md tells the numbers of the rate limits and of the longest list of connections', () => {
  const text = section(page, 'Rate limits');
  for (const tier of ['cheap', 'mid', 'heavy'] as const) {
    const { default: most } = LIMITS[RATE_TIERS[tier].limit];
    assert.match(text, new RegExp(`${most}[^,.]* in (?:the tier )?\`${tier}\``));
  }
  assert.ok(text.includes(`${LIMITS.heavy_in_flight.default} in progress`));
  assert.ok(section(page, 'Connections').includes(MOST_AT_ONCE.toLocaleString('en')));
});

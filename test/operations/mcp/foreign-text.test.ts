import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foreignTextOf, pathsIn } from '../../../src/operations/mcp/foreign-text.ts';
import type { Json } from '../../../src/operations/mcp/json-schema.ts';
import { toolNamed } from '../../../src/operations/mcp/tool-table.ts';

const marked = (name: string) => foreignTextOf(toolNamed(name) ?? assert.fail(name));
const ofValue = (schema: Json) =>
  pathsIn({ type: 'object', properties: { value: schema }, additionalProperties: false }, '');

test('what others wrote into open objects, ids and moments of vendors is named', () => {
  for (const [tool, path] of [
    ['get_rule', 'conditions'],
    ['get_rule', 'actions[]'],
    ['list_api_keys', 'data[].metadata'],
    ['list_destinations', 'data[].target'],
    ['list_destination_resources', 'data[].id'],
    ['list_transactions_v2', 'set_aside[].id'],
    ['list_transactions_v2', 'data[].id'],
    ['list_transactions', 'data[].id'],
    ['list_trades', 'data[].id'],
    ['list_trades', 'data[].tradeDate'],
    ['list_trades', 'data[].settlementDate'],
    ['list_institutions', 'data[].id'],
    ['list_institutions', 'data[].logo'],
  ] as const)
    assert.ok(marked(tool).includes(path), `${tool} ${path}: ${marked(tool)}`);
});

test('what the service itself made is not: its ids, days, instants, amounts, words of a fixed set, page tokens', () => {
  for (const [tool, path] of [
    ['list_transactions_v2', 'next_page'],
    ['list_transactions_v2', 'data[].account'],
    ['list_transactions_v2', 'data[].date'],
    ['list_connections', 'data[].id'],
    ['list_connections', 'data[].createdAt'],
    ['list_balances', 'data[].currentBalance'],
    ['list_audit_events', 'data[].actor'],
    ['get_sync', 'id'],
    ['get_sync', 'object'],
    ['get_sync', 'schedule.times[]'],
  ] as const)
    assert.ok(!marked(tool).includes(path), `${tool} ${path}`);
});

test('a pattern closes a text only where it leaves no room for words', () => {
  const open = [
    '^snap_',
    'x$',
    '^a+$',
    '^[a-z ]{9}$',
    '^[a-z]{2,}$',
    '^[^x]$',
    '^\\d(T.+)?$',
    '^\\w*$',
    '^1$|x',
  ];
  for (const pattern of open) assert.deepEqual(ofValue({ type: 'string', pattern }), ['value'], pattern);
  for (const pattern of ['^[A-Z]{3}$', '^-?\\d+(\\.\\d+)?$', '^acct_[0-9A-Za-z]{22}$', '^a$|^[0-9]$'])
    assert.deepEqual(ofValue({ type: 'string', pattern }), [], pattern);
  for (const format of ['uri', 'email', 'hostname'])
    assert.deepEqual(ofValue({ type: 'string', format }), ['value'], format);
  for (const format of ['date', 'date-time', 'uuid'])
    assert.deepEqual(ofValue({ type: 'string', format }), [], format);
});

test('a value of no said type may hold anything', () => {
  for (const schema of [{}, { type: 'object' }, { type: ['string', 'null'] }, { items: {}, type: 'array' }])
    assert.equal(ofValue(schema).length, 1, JSON.stringify(schema));
  for (const schema of [{ const: 'x' }, { enum: ['x'] }, { type: 'integer' }, { anyOf: [{ type: 'null' }] }])
    assert.deepEqual(ofValue(schema), [], JSON.stringify(schema));
});

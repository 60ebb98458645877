import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { snakeCase } from '../../sandbox/au-banking/dataset/reader.ts';
import { PERSONAS } from '../../sandbox/au-banking/personas/catalog.ts';
import { isRecord } from '../../sandbox/shared/json.ts';
import { list, record, withSimulator } from './visitor.ts';

const CONTRACT = new URL('../../../shared/contracts/cds-standards/cds_banking.json', import.meta.url);
const skip = existsSync(CONTRACT) ? false : 'the published standard is not beside the checkout';

type Schemas = Readonly<Record<string, unknown>>;

/** Checks enumerations and mandatory members of an object, following the standard's references. */
function check(schemas: Schemas, schema: unknown, value: unknown, path: string, seen: Set<string>): void {
  const node = record(schema);
  if (typeof node.$ref === 'string') {
    const name = node.$ref.split('/').at(-1) ?? '';
    check(schemas, schemas[name], value, path, seen);
    return;
  }
  if (Array.isArray(node.allOf)) for (const part of node.allOf) check(schemas, part, value, path, seen);
  if (Array.isArray(node.enum)) {
    seen.add(path);
    assert.ok(node.enum.includes(value), `${path}: ${String(value)} is not in the standard`);
  }
  if (Array.isArray(value) && node.items !== undefined) {
    for (const entry of value) check(schemas, node.items, entry, path, seen);
  }
  if (!isRecord(value)) return;
  for (const name of Array.isArray(node.required) ? node.required : []) {
    assert.ok(
      value[snakeCase(String(name))] !== undefined,
      `${path}.${String(name)} is mandatory in the standard`,
    );
  }
  for (const [name, member] of Object.entries(isRecord(node.properties) ? node.properties : {})) {
    const actual = value[snakeCase(name)];
    if (actual !== undefined && actual !== null) check(schemas, member, actual, `${path}.${name}`, seen);
  }
}

test('accounts, balances and rows of every persona keep to the published standard', { skip }, async () => {
  const contract = record(JSON.parse(readFileSync(CONTRACT, 'utf8')));
  const schemas = record(record(contract.components).schemas);
  const seen = new Set<string>();
  await withSimulator({}, async (visitor) => {
    const user = await visitor.endUser();
    for (const { customer } of PERSONAS) await visitor.link(user, { customer });
    const read = async (name: string): Promise<readonly unknown[]> =>
      list((await visitor.get(`/v1/banking/${name}?end_user_id=${user}&page[size]=1000`)).body, name);
    for (const account of await read('accounts'))
      check(schemas, schemas.BankingAccountDetailV5, account, 'account', seen);
    for (const balance of await read('balances'))
      check(schemas, schemas.BankingBalance, balance, 'balance', seen);
    for (const row of await visitor.rows(`end_user_id=${user}`)) {
      const { execution_date_time: _, value_date_time: __, ...rest } = row;
      check(schemas, schemas.BankingTransactionV2, rest, 'row', seen);
      if (row.status === 'POSTED') assert.ok(row.posting_date_time);
      assert.match(String(row.amount), /^-?\d{1,16}\.\d{2,}$/);
    }
  });
  for (const path of [
    'row.type',
    'row.status',
    'account.productCategory',
    'account.loan.repaymentType',
    'account.fees.feeType',
  ]) {
    assert.ok(seen.has(path), `${path} was compared`);
  }
});

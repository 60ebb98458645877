import assert from 'node:assert/strict';
import { loadBankDataset } from '../../../sandbox/au-banking/dataset/load.ts';
import { centsOf, type FiledAccount, filedAccounts } from './bank-files.ts';
import { all, EVER, type LinkedAccount, never, openGateway, type TestGateway } from './open-gateway.ts';

/** Links everyone in a bank data file and compares what the gateway reads with it. Returns how many rows there were. */
export async function compareFile(raw: unknown): Promise<number> {
  const dataset = loadBankDataset(raw);
  const test = await openGateway({ dataset });
  try {
    let rows = 0;
    for (const [holderAt, customers] of filedAccounts(raw).entries()) {
      for (const [customerAt, filed] of customers.entries()) {
        const holder = dataset.holders[holderAt];
        const customer = holder?.customers[customerAt];
        assert.ok(holder && customer);
        if (filed.length === 0) continue;
        const linked = await test.link(customer.customer, { institution: holder.id });
        assert.equal(linked.length, filed.length);
        const byId = new Map(linked.map((account) => [account.upstreamId, account]));
        for (const [at, expected] of filed.entries()) {
          const account = byId.get(customer.accounts[at]?.accountId ?? '');
          assert.ok(account);
          rows += await compare(test, account, expected);
        }
      }
    }
    return rows;
  } finally {
    await test.close();
  }
}

async function compare(test: TestGateway, account: LinkedAccount, expected: FiledAccount): Promise<number> {
  const { gateway } = test;
  assert.equal(account.upstream.name, expected.name);
  assert.equal(account.upstream.maskedNumber, expected.lastFour === null ? null : `xxxx${expected.lastFour}`);
  const balance = await gateway.accounts.balance(account, {}, never);
  if (expected.balance !== null) {
    assert.ok(balance.value.current);
    const cents = centsOf(expected.balance, balance.value.current.currency);
    assert.equal(BigInt(balance.value.current.amount), cents);
  }
  const { value } = await gateway.transactions.list(account, EVER, never);
  const streamed = await all(gateway.transactions.stream(account, { ...EVER, since: null }, never));
  const said = value.rows.map((row) => [row.status, row.date, BigInt(row.amount.amount), row.description]);
  const filed = expected.rows.map((row) => [row.status, row.day, row.cents, row.description]);
  assert.deepEqual(said.toSorted(byText), filed.toSorted(byText));
  assert.equal(streamed.length, value.rows.length);
  return said.length;
}

const byText = (a: readonly unknown[], b: readonly unknown[]): number => (a.join() < b.join() ? -1 : 1);

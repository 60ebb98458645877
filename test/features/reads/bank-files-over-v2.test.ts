import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { loadBankDataset } from '../../../sandbox/au-banking/dataset/load.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService, type TestOwner } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';
import { centsOf, type FiledAccount, filedAccounts } from '../provider-gateway/bank-files.ts';
import { bankFile } from '../provider-gateway/generated-bank.ts';

const STANDARD = new URL('../../../../shared/data/dsb/all-data-1.29.1.json', import.meta.url);
/** Of the published file, whose customers have much the same. */
const CUSTOMERS = 2;

describe('v2 answers what the bank data file says, to the cent, the day and the character', () => {
  it('for generated files', async () => {
    // One service for several files: their banks get ids of their own.
    const files = fc.sample(bankFile, 3);
    const holders = files
      .flatMap((file) => file.holders)
      .map((holder, at) => ({ ...holder, holderId: `7712${at}` }));
    assert.ok((await compareOverV2({ holders }, files.length)) > 0);
  });

  const skip = existsSync(STANDARD) ? false : 'the data files are not in ../shared';
  it("for the standard's own test data", { skip }, async () => {
    assert.ok((await compareOverV2(JSON.parse(readFileSync(STANDARD, 'utf8')), CUSTOMERS)) > 0);
  });
});

async function compareOverV2(raw: unknown, most: number): Promise<number> {
  const dataset = loadBankDataset(raw);
  const directory = await scratchDirectory();
  const path = join(directory, 'bank.json');
  writeFileSync(path, JSON.stringify(raw));
  const service = await startService({ SANDBOX_DATA: path });
  try {
    const owner = await service.owner();
    let rows = 0;
    let people = 0;
    for (const [holderAt, customers] of filedAccounts(raw).entries()) {
      for (const [customerAt, filed] of customers.entries()) {
        const holder = dataset.holders[holderAt];
        const customer = holder?.customers[customerAt]?.customer;
        assert.ok(holder && customer !== undefined);
        if (filed.length === 0 || people >= most) continue;
        people += 1;
        const connection = await linkBank(owner, { customer, at: `inst_fk_${holder.id}` });
        const { accounts } = await importedConnection(owner, connection);
        rows += await compareAccounts(owner, accounts, filed);
      }
    }
    return rows;
  } finally {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Accounts of one person may be named alike: together they hold what the file holds. */
async function compareAccounts(
  owner: TestOwner,
  accounts: readonly Json[],
  filed: readonly FiledAccount[],
): Promise<number> {
  const said: string[] = [];
  for (const account of accounts) {
    const balance = await owner.v2('GET', `/v2/accounts/${account.id}/balance`);
    const { current } = balance.body;
    const rows = await rowsOf(owner, account.id);
    said.push(JSON.stringify([account.name, account.account_number, String(current.amount), rows]));
  }
  const expected = filed.map(({ name, lastFour, balance, rows }) =>
    JSON.stringify([
      name,
      lastFour === null ? null : `xxxx${lastFour}`,
      String(centsOf(balance ?? '', 'AUD')),
      rows.map((row) => [row.status, row.day, String(row.cents), row.description]).toSorted(byText),
    ]),
  );
  assert.deepEqual(said.toSorted(), expected.toSorted());
  return filed.reduce((sum, { rows }) => sum + rows.length, 0);
}

async function rowsOf(owner: TestOwner, account: string): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  const window = 'from=2019-12-01&to=2027-01-01&include_pending=true&limit=100';
  let next: string | null = `/v2/transactions?account=${account}&${window}`;
  while (next !== null) {
    const { body } = await owner.v2('GET', next);
    for (const { status, date, amount, description } of body.data)
      rows.push([status, date, String(amount.amount), description]);
    next =
      body.next_page_url === null
        ? null
        : new URL(body.next_page_url).pathname + new URL(body.next_page_url).search;
  }
  return rows.toSorted(byText);
}

const byText = (a: readonly unknown[], b: readonly unknown[]): number =>
  JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { newSetupToken } from '../../support/bridge.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import { BudgetClient } from '../../support/simplefin/budget-client.ts';
import { ImportClient } from '../../support/simplefin/import-client.ts';
import type { Json } from '../../support/v2-client.ts';

const DAY_MS = 86_400_000;

/** All rows of a month over v2, as `id cents`. */
async function monthOverV2(owner: TestOwner, account: string, from: string, to: string): Promise<Json[]> {
  const rows: Json[] = [];
  let next: string | null =
    `/v2/transactions?account=${account}&from=${from}&to=${to}&include_pending=true&limit=100`;
  while (next !== null) {
    const { body }: { body: Json } = await owner.v2('GET', next);
    rows.push(...body.data);
    next = body.next_page_url;
  }
  return rows;
}

describe('Two clients that know nothing of us complete claim, accounts and a month of transactions', () => {
  let service: TestService;
  let owner: TestOwner;
  let account: Json;
  const today = new Date();
  const from = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1))
    .toISOString()
    .slice(0, 10);
  const until = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1)).toISOString().slice(0, 10);
  const last = new Date(Date.parse(until) - DAY_MS).toISOString().slice(0, 10);

  before(async () => {
    service = await commonService();
    owner = await service.owner();
    const linked = await linkBank(owner, { customer: 'salaried-household' });
    const connection = await importedConnection(owner, linked);
    account = connection.accounts.find((one: Json) => one.name === 'Everyday Account');
  });
  after(() => service.close());

  it('a budgeting server: it lists with balances only, then syncs the month', async () => {
    const client = await BudgetClient.claim((await newSetupToken(owner)).setup_token);
    const listed = await client.list();
    assert.ok(listed.every((one) => one.rows.length === 0 && !one.needsAttention));
    const chosen = listed.find(({ name }) => name === account.name);
    assert.ok(chosen);
    const balance = await owner.v2('GET', `/v2/accounts/${account.id}/balance`);
    assert.equal(chosen.balanceCents, balance.body.current.amount);
    const [synced] = await client.sync([chosen.id], from, until);
    const expected = await monthOverV2(owner, account.id, from, last);
    assert.ok(expected.length > 10, 'a month has rows');
    const seen = synced?.rows.map(({ id, cents, booked }) => `${id} ${cents} ${booked}`).toSorted();
    assert.deepEqual(
      seen,
      expected.map(({ id, amount, status }) => `${id} ${amount.amount} ${status === 'posted'}`).toSorted(),
    );
    const days = new Map(expected.map((row) => [row.id, row.post_date ?? row.date]));
    for (const { id, day } of synced?.rows ?? []) assert.equal(day, days.get(id), id);
  });

  it('an importer: it lists with balances only, then reads one account in chunks of 44 days', async () => {
    const client = await ImportClient.claim((await newSetupToken(owner)).setup_token);
    const listed = await client.accounts();
    const chosen = listed.find(({ name }) => name === account.name);
    assert.ok(chosen);
    assert.equal(chosen.currency, 'AUD');
    const begin = Date.parse(from) / 1000 - 100 * 86_400;
    const rows = await client.rows(chosen.id, begin, Date.parse(until) / 1000);
    const first = new Date(begin * 1000).toISOString().slice(0, 10);
    const expected = (await monthOverV2(owner, account.id, first, last)).filter(
      ({ status }) => status === 'posted',
    );
    assert.deepEqual(
      rows.map(({ id, amount }) => `${id} ${Number(amount.replace('.', ''))}`).toSorted(),
      expected.map(({ id, amount }) => `${id} ${amount.amount}`).toSorted(),
    );
    assert.ok(client.requests >= 4, 'it asked in chunks');
  });

  it('a claim that was made leaves nothing to the next client', async () => {
    const { setup_token: text } = await newSetupToken(owner);
    await BudgetClient.claim(text);
    await assert.rejects(BudgetClient.claim(text), /the token is refused/);
    await assert.rejects(ImportClient.claim(text), /answered 403/);
  });
});

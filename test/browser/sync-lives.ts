import type { TestOwner } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { answering, draftAt, runOnce, spreadsheet, webhookWithRun } from './destination-lives.ts';

/** A spreadsheet with a sync of the accounts, once its first run has ended. */
export async function sheetWithRun(
  owner: TestOwner,
  accounts: readonly string[],
  { name = 'Household', more = {} }: { readonly name?: string; readonly more?: Json } = {},
): Promise<{ readonly sheet: Json; readonly sync: Json; readonly run: Json }> {
  const sheet = await spreadsheet(owner, 'Our money');
  const { body: sync } = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name,
    destination: sheet.id,
    accounts,
    mapping_mode: 'bulk',
    run_now: false,
    ...more,
  });
  const run = await runOnce(owner, sync);
  return { sheet, sync, run };
}

/** A budgeting app that is aimed at the first of its budgets. */
export async function budget(owner: TestOwner): Promise<Json> {
  const { id } = await draftAt(owner, 'ynab');
  const { body: found } = await owner.v2('GET', `/v2/destinations/${id}/resources?type=budget`);
  const target = { budget_id: found.data[0].id };
  return (await owner.v2('POST', `/v2/destinations/${id}`, { target })).body;
}

/** Several syncs: one to a spreadsheet, one to a webhook whose last run failed, and one that is paused. */
export async function severalSyncs(owner: TestOwner, accounts: readonly string[]): Promise<Json> {
  const { sync } = await sheetWithRun(owner, accounts);
  const receiver = await answering({ status: 500, body: 'out of order' });
  await webhookWithRun(owner, receiver, accounts);
  const other = await sheetWithRun(owner, accounts, { name: 'For the accountant' });
  await owner.v2('POST', `/v2/syncs/${other.sync.id}`, { enabled: false });
  return sync;
}

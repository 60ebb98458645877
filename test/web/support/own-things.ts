import type { Thing } from '../../conformance/asks.ts';
import type { LinkedOwner, Stage } from '../../conformance/stage.ts';
import { budgetBody, eventDestinationBody, made, syncBody, webhook } from '../../conformance/things.ts';
import { aimed, draft } from '../../connectors/destinations/support/linked.ts';
import { importWithoutWorkers, linkBank, linkBroker } from '../../features/linking/person.ts';

type Ids = Readonly<Partial<Record<Thing, string>>>;

const resting = { run_now: false } as const;
const FIRST_DAY = '2026-05-02';

/** A bank or a broker that nothing else is about. */
const linkedAgain = async (
  owner: LinkedOwner,
  { service }: Stage,
  link: (owner: LinkedOwner) => Promise<string>,
) => {
  const connection = await importWithoutWorkers(service, owner, await link(owner));
  return { connection: connection.id, account: connection.accounts[0].id };
};

const atBroker = (owner: LinkedOwner, stage: Stage): Promise<Ids> => {
  Object.assign(stage.broker.settings, { firstSyncDelayMs: 0 });
  return linkedAgain(owner, stage, (person) => linkBroker(person, 'self-directed'));
};

const aCard = async (owner: LinkedOwner, { service }: Stage): Promise<Ids> => {
  const linked = await linkBank(owner, { customer: 'credit-card' });
  const { accounts } = await importWithoutWorkers(service, owner, linked);
  return { account: accounts.find(({ type }: { readonly type: string }) => type === 'credit-card').id };
};

const anotherSync = async (owner: LinkedOwner, more: object = resting) => {
  const sync = await made(owner, '/v2/syncs', { ...syncBody(owner.account, await webhook(owner)), ...more });
  return { sync: sync.id, sync_run: sync.latest_run?.id };
};

const budgetSync = async (owner: LinkedOwner): Promise<Ids> => {
  const { id } = await aimed(owner, 'ynab');
  return { sync: (await made(owner, '/v2/syncs', budgetBody(owner.account, id))).id };
};

const anotherReceiver = async (owner: LinkedOwner): Promise<Ids> => {
  return { event_destination: (await made(owner, '/v2/event_destinations', eventDestinationBody())).id };
};

/** What an operation needs a thing of its own for, because the one that all share does not fit it, or would not after it. */
export const OWN_THINGS: Readonly<Record<string, (owner: LinkedOwner, stage: Stage) => Promise<Ids>>> = {
  list_holdings: atBroker,
  list_trades: atBroker,
  refresh_connection: (owner, stage) =>
    linkedAgain(owner, stage, (person) => linkBank(person, { customer: 'credit-card' })),
  update_account: aCard,
  update_account_by_patch: aCard,
  create_destination_target: async (owner) => ({ destination: (await draft(owner)).id }),
  list_destination_resources: async (owner, { vendor }) => {
    vendor.things.set('spreadsheet ', [{ id: 'doc_1', name: 'Money', url: null }]);
    return { destination: (await aimed(owner)).id };
  },
  create_sync: async (owner) => ({ destination: await webhook(owner) }),
  // Disabled by the example, which ends its runs.
  update_sync: (owner) => anotherSync(owner),
  update_sync_by_patch: (owner) => anotherSync(owner),
  run_sync: (owner) => anotherSync(owner),
  // The example's days lie after this one, whatever day it is now.
  backfill_sync: (owner) => anotherSync(owner, { ...resting, options: { data_from: FIRST_DAY } }),
  resync: (owner) => anotherSync(owner),
  cancel_sync_run: (owner) => anotherSync(owner, {}),
  list_category_mappings: budgetSync,
  set_category_mappings: budgetSync,
  disable_event_destination: anotherReceiver,
};

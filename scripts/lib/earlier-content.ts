import type { Destination, DestinationsCreateInput, Sync, SyncsCreateInput, Tributary } from '#client';
import { banksByName, linkCustomer, until } from '../../src/app/demo/demo-steps.ts';
import { EARLIER_BANK } from './earlier-bank.ts';
import type { EarlierReceiver, ReceivedEvent } from './earlier-receiver.ts';

const DEADLINE_MS = 60_000;
const RETURN_URL = 'http://127.0.0.1:9/linked';

/** What a test needs to know about a filled service. */
export type EarlierContent = {
  readonly events: readonly ReceivedEvent[];
  /** A run of which every row was delivered. */
  readonly doneSync: string;
  readonly doneDestination: string;
  readonly signingSecret: string;
  /** A run with a chunk that arrived without the service learning of it. */
  readonly openSync: string;
  readonly openDestination: string;
  readonly accounts: readonly string[];
  /** An account whose connection was deleted. */
  readonly releasedAccount: string;
  readonly linkSession: string;
  readonly linkPath: string;
  readonly ruleset: string;
  readonly repeatable: {
    readonly key: string;
    readonly body: DestinationsCreateInput;
    readonly id: string;
  };
};

/** A little of everything, over HTTP, until `kill` ends the service in the middle of a delivery. */
export async function fillService(
  v2: Tributary,
  receiver: EarlierReceiver,
  kill: () => Promise<void>,
): Promise<EarlierContent> {
  const signal = AbortSignal.timeout(5 * DEADLINE_MS);
  const banks = await banksByName(v2, 'au_banking');
  const link = (customer: string) =>
    linkCustomer(v2, { provider: 'au_banking', bank: EARLIER_BANK, customer }, banks, RETURN_URL, signal);
  const accounts = await link('first');
  const [released = ''] = await link('second');
  const deleted = (await v2.accounts.get({ id: released })).connection;
  await v2.connections.delete({ id: deleted });
  const session = await v2.linkSessions.create({
    provider: 'au_banking',
    institution: banks.get(EARLIER_BANK),
    return_url: RETURN_URL,
  });

  const done = await v2.destinations.create(webhook('Done', `${receiver.url}/done?token=earlier-token`));
  const doneSync = await v2.syncs.create(syncInto(done, accounts));
  await ended(v2, doneSync, signal);
  const rotated = await v2.destinations.rotateSecret({ id: done.id });
  const ruleset = await ruled(v2, doneSync);
  const repeatable = await repeated(v2, receiver);

  const open = await v2.destinations.create(webhook('Open', `${receiver.url}/open`));
  const cut = new Promise<void>((resolve) => {
    receiver.hang = { path: '/open', request: 2, reached: resolve };
  });
  const openSync = await v2.syncs.create(syncInto(open, accounts));
  await cut;
  await kill();
  return {
    events: receiver.events,
    doneSync: doneSync.id,
    doneDestination: done.id,
    signingSecret: rotated.config?.signing_secret ?? '',
    openSync: openSync.id,
    openDestination: open.id,
    accounts,
    releasedAccount: released,
    linkSession: session.id,
    linkPath: new URL(session.url).pathname,
    ruleset,
    repeatable,
  };
}

const webhook = (name: string, url: string) => ({ type: 'webhook', name, target: { url } }) as const;

const syncInto = (destination: Destination, accounts: readonly string[]): SyncsCreateInput => ({
  type: 'transactions',
  name: 'Earlier',
  destination: destination.id,
  accounts,
  mapping_mode: 'bulk',
  options: { data_from: '2026-01-01', include_pending: true, mask_account_numbers: false },
});

async function ended(v2: Tributary, sync: Sync, signal: AbortSignal): Promise<void> {
  const run = sync.latest_run?.id ?? '';
  const found = await until(
    () => v2.syncRuns.get({ id: run }),
    ({ status }) => status !== 'queued' && status !== 'running',
    DEADLINE_MS,
    signal,
  );
  if (found.status !== 'succeeded') throw new Error(`The run ended as ${found.status}.`);
}

/** A rule that changes nothing that is delivered, attached to the sync. */
async function ruled(v2: Tributary, sync: Sync): Promise<string> {
  const ruleset = await v2.rulesets.create({ name: 'Earlier' });
  await v2.rulesets.createRule({
    id: ruleset.id,
    conditions: { field: 'description', operator: 'equals', value: 'No row is called so' },
    actions: [{ type: 'skip' }],
  });
  await v2.syncs.attachRulesets({ id: sync.id, rulesets: [ruleset.id] });
  return ruleset.id;
}

/** A destination created with an idempotency key, whose stored response contains a secret. */
async function repeated(v2: Tributary, receiver: EarlierReceiver): Promise<EarlierContent['repeatable']> {
  const key = 'earlier-key-1';
  const body = webhook('Repeatable', `${receiver.url}/repeatable`);
  const { id } = await v2.destinations.create(body, { idempotencyKey: key });
  return { key, body, id };
}

import { banksByName, linkCustomer, until } from '../../src/cli/demo/demo-steps.ts';
import type { Resource, V2Client } from '../../src/cli/demo/v2-client.ts';
import { EARLIER_BANK } from './earlier-bank.ts';
import type { EarlierReceiver, ReceivedEvent } from './earlier-receiver.ts';

const DEADLINE_MS = 60_000;
const RETURN_URL = 'http://127.0.0.1:9/linked';

/** What a test has to know of a filled service. Null where the service did not have the thing yet. */
export type EarlierContent = {
  readonly events: readonly ReceivedEvent[];
  /** Every row of it was delivered. */
  readonly doneSync: string;
  readonly doneDestination: string;
  readonly signingSecret: string;
  /** A chunk of it arrived that the service never knew of. */
  readonly openSync: string;
  readonly openDestination: string;
  readonly accounts: readonly string[];
  /** An account whose connection was deleted. */
  readonly releasedAccount: string;
  readonly linkSession: string;
  readonly linkPath: string;
  readonly ruleset: string | null;
  readonly repeatable: { readonly key: string; readonly body: unknown; readonly id: string } | null;
};

/** A little of everything, over HTTP, until `kill` ends the service in the middle of a delivery. */
export async function fillService(
  v2: V2Client,
  receiver: EarlierReceiver,
  kill: () => Promise<void>,
): Promise<EarlierContent> {
  const signal = AbortSignal.timeout(5 * DEADLINE_MS);
  const banks = await banksByName(v2, 'au_banking');
  const link = (customer: string) =>
    linkCustomer(v2, { provider: 'au_banking', bank: EARLIER_BANK, customer }, banks, RETURN_URL, signal);
  const accounts = await link('first');
  const [released = ''] = await link('second');
  const deleted = (await v2.get(`/v2/accounts/${released}`)).text('connection');
  await v2.exchange('DELETE', `/v2/connections/${deleted}`, null);
  const session = await v2.post('/v2/link_sessions', {
    provider: 'au_banking',
    institution: banks.get(EARLIER_BANK),
    return_url: RETURN_URL,
  });

  const done = await v2.post('/v2/destinations', webhook('Done', `${receiver.url}/done?token=earlier-token`));
  const doneSync = await v2.post('/v2/syncs', syncInto(done, accounts));
  await ended(v2, doneSync, signal);
  const rotated = await v2.post(`/v2/destinations/${done.text('id')}/rotate_secret`, {});
  const ruleset = await ruled(v2, doneSync);
  const repeatable = await repeated(v2, receiver);

  const open = await v2.post('/v2/destinations', webhook('Open', `${receiver.url}/open`));
  const cut = new Promise<void>((resolve) => {
    receiver.hang = { path: '/open', request: 2, reached: resolve };
  });
  const openSync = await v2.post('/v2/syncs', syncInto(open, accounts));
  await cut;
  await kill();
  return {
    events: receiver.events,
    doneSync: doneSync.text('id'),
    doneDestination: done.text('id'),
    signingSecret: rotated.part('config').text('signing_secret'),
    openSync: openSync.text('id'),
    openDestination: open.text('id'),
    accounts,
    releasedAccount: released,
    linkSession: session.text('id'),
    linkPath: new URL(session.text('url')).pathname,
    ruleset,
    repeatable,
  };
}

const webhook = (name: string, url: string) => ({ type: 'webhook', name, target: { url } });

const syncInto = (destination: Resource, accounts: readonly string[]) => ({
  type: 'transactions',
  name: 'Earlier',
  destination: destination.text('id'),
  accounts,
  mapping_mode: 'bulk',
  options: { data_from: '2026-01-01', include_pending: true, mask_account_numbers: false },
});

async function ended(v2: V2Client, sync: Resource, signal: AbortSignal): Promise<void> {
  const run = sync.part('latest_run').text('id');
  const found = await until(
    () => v2.get(`/v2/sync_runs/${run}`),
    (one) => !['queued', 'running'].includes(one.text('status')),
    DEADLINE_MS,
    signal,
  );
  if (found.text('status') !== 'succeeded') throw new Error(`The run ended as ${found.text('status')}.`);
}

/** A rule that changes nothing that is delivered, attached to the sync. */
async function ruled(v2: V2Client, sync: Resource): Promise<string | null> {
  const { status } = await v2.exchange('GET', '/v2/rulesets', null);
  if (status !== 200) return null;
  const ruleset = await v2.post('/v2/rulesets', { name: 'Earlier' });
  await v2.post(`/v2/rulesets/${ruleset.text('id')}/rules`, {
    conditions: { field: 'description', operator: 'equals', value: 'No row is called so' },
    actions: [{ type: 'skip' }],
  });
  await v2.post(`/v2/syncs/${sync.text('id')}/rulesets`, { rulesets: [ruleset.text('id')] });
  return ruleset.text('id');
}

/** A destination made under an idempotency key: its stored answer holds a secret. */
async function repeated(v2: V2Client, receiver: EarlierReceiver): Promise<EarlierContent['repeatable']> {
  const key = 'earlier-key-1';
  const body = webhook('Repeatable', `${receiver.url}/repeatable`);
  const made = await v2.post('/v2/destinations', body, { 'idempotency-key': key });
  const again = await v2.exchange('POST', '/v2/destinations', body, { 'idempotency-key': key });
  return again.status < 300 ? { key, body, id: made.text('id') } : null;
}

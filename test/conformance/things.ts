import assert from 'node:assert/strict';
import { startLink } from '../connectors/destinations/support/linked.ts';
import { contentOf, csvOf, ofxOf, STATEMENT } from '../features/documents/statements.ts';
import { linkBank } from '../features/linking/person.ts';
import { claimAddress } from '../support/bridge.ts';
import type { TestService } from '../support/service.ts';
import type { Answer, Json } from '../support/v2-client.ts';
import { letIn, signIn } from '../surfaces/oauth/stage.ts';
import type { Thing } from './asks.ts';
import { loggedDelivery } from './logged-delivery.ts';
import type { LinkedOwner } from './stage.ts';

/** One of everything an owner can have, made over HTTP. */
export interface Things {
  readonly owner: LinkedOwner;
  /** The id of the thing of this kind. */
  readonly ids: (thing: Thing) => string;
}

export async function makeThings(
  owner: LinkedOwner,
  service: Pick<TestService, 'app' | 'url'>,
): Promise<Things> {
  const { account, connection, consent } = owner;
  await linkBank(owner, { customer: 'sole-trader' });
  const key = await made(owner, '/v2/api_keys', { name: 'reader', scopes: ['data:read'] });
  const session = await made(owner, '/v2/link_sessions', {
    provider: 'au_banking',
    institution: 'inst_fk_90001',
    return_url: 'https://app.example.test/back',
  });
  const destination = await webhook(owner);
  await made(owner, '/v2/syncs', syncBody(account, await webhook(owner)));
  const sync = await made(owner, '/v2/syncs', syncBody(account, destination));
  const categories = await owner.v2('GET', '/v2/categories');
  const category = categories.body.data.find((one: Json) => one.parent !== null);
  const link = await startLink(owner);
  const document = await made(owner, '/v2/documents', {
    name: 'september.ofx',
    content: contentOf(ofxOf(STATEMENT, '87654321')),
  });
  const view = await made(owner, '/v2/saved_views', { name: 'Coffee', query: 'q=coffee' });
  const ruleset = await made(owner, '/v2/rulesets', { name: 'Tidy' });
  const rule = await made(owner, `/v2/rulesets/${ruleset.id}/rules`, ruleBody());
  const receiver = await made(owner, '/v2/event_destinations', eventDestinationBody());
  const ping = await made(owner, `/v2/event_destinations/${receiver.id}/ping`, undefined);
  const token = await made(owner, '/v2/simplefin_setup_tokens', { name: 'budget app' });
  const claimed = await fetch(claimAddress(token.setup_token), { method: 'POST' });
  assert.equal(claimed.status, 200);
  const { app } = okay(await owner.v2('GET', `/v2/simplefin_setup_tokens/${token.id}`)).body;
  await letIn(service, await signIn(service, owner));
  const apps = await owner.v2('GET', '/v2/connected_apps');
  const rows = await owner.v2('GET', `/v2/transactions?account=${account}&limit=1`);
  const ids: Readonly<Partial<Record<Thing, string>>> = {
    account,
    connection,
    consent,
    api_key: key.id,
    link_session: session.id,
    destination,
    destination_link: link.id,
    sync: sync.id,
    sync_run: sync.latest_run.id,
    category: category.id,
    document: document.id,
    saved_view: view.id,
    ruleset: ruleset.id,
    rule: rule.id,
    webhook_delivery: await loggedDelivery(service, { destination, sync: sync.id, account }),
    transaction: rows.body.data[0].id,
    event_destination: receiver.id,
    event: ping.id,
    simplefin_setup_token: token.id,
    simplefin_app: app,
    oauth_grant: apps.body.data[0].id,
  };
  return {
    owner,
    ids: (thing) => {
      const id = ids[thing];
      assert.ok(id, `makeThings makes no ${thing}`);
      return id;
    },
  };
}

/** A file with rows of days that the live feed of the account has as well. */
export function liveDocumentBody(account: string) {
  const date = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
  const rows = STATEMENT.map((row) => ({ ...row, date }));
  return { name: 'recent.csv', content: contentOf(csvOf(rows)), account };
}

export function ruleBody() {
  return {
    name: 'Coffee',
    conditions: { all: [{ field: 'description', operator: 'contains', value: 'coffee' }] },
    actions: [{ type: 'set_merchant', value: 'Coffee' }],
  };
}

/** A receiver of events that nothing answers at. */
export function eventDestinationBody() {
  return {
    name: 'Receiver',
    webhook_endpoint: { url: 'http://127.0.0.1:9/events' },
    enabled_events: ['*'],
  };
}

let hooks = 0;

/** A webhook that nothing answers at. */
export async function webhook(owner: Pick<LinkedOwner, 'v2'>): Promise<string> {
  hooks += 1;
  const target = { url: `http://127.0.0.1:9/hook/${hooks}` };
  return (await made(owner, '/v2/destinations', { type: 'webhook', name: 'books', target })).id;
}

export function syncBody(account: string, destination: string) {
  return {
    type: 'transactions',
    name: 'books',
    destination,
    accounts: [account],
    mapping_mode: 'bulk',
    options: { data_from: '2026-01-01' },
  };
}

/** A sync to a budgeting app, to be run another time. */
export function budgetBody(account: string, destination: string) {
  return {
    ...syncBody(account, destination),
    mapping_mode: 'per_account',
    account_mappings: [{ account, destination_account: 'budget_account_1' }],
    run_now: false,
  };
}

export async function made(owner: Pick<LinkedOwner, 'v2'>, path: string, body: unknown): Promise<Json> {
  return okay(await owner.v2('POST', path, body)).body;
}

export function okay(answer: Answer): Answer {
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer;
}

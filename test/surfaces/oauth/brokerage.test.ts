import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { link } from '../../../src/surfaces/cli/commands/link.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { type V2Client, v2Client } from '../../support/v2-client.ts';
import { letIn, signIn } from './stage.ts';

let service: TestService;
let owner: TestOwner;
let trades: string;
let transactions: string;
let webhook: string;
let sheet: string;

before(async () => {
  service = await startService();
  owner = await service.owner();
  const { app, url } = service;
  const context = { app, url, signal: AbortSignal.timeout(30_000) };
  const account = publicId('account_record', owner.record.id);
  await link.run(context, { account, provider: 'up_bank', persona: 'everyday' });
  const [own] = (await owner.v2('GET', '/v2/accounts')).body.data;
  const copied = async (target: string) => {
    const made = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'books',
      target: { url: target },
    });
    const sync = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'Copy',
      destination: made.body.id,
      accounts: [own.id],
      mapping_mode: 'bulk',
      run_now: false,
    });
    assert.equal(sync.status, 201, JSON.stringify(sync.body));
    return { destination: String(made.body.id), sync: String(sync.body.id) };
  };
  const plain = await copied('https://books.example/plain');
  transactions = plain.sync;
  sheet = plain.destination;
  const kept = await copied('https://books.example/trades');
  trades = kept.sync;
  webhook = kept.destination;
  // The sandbox of this bank has no broker; what a sync copies is all that counts here.
  const id = (
    await service.app.services.syncs.list(
      owner.record.id,
      { status: [] },
      { limit: 20, after: null, before: null },
    )
  ).items.find((one) => publicId('sync', one.id) === trades)?.id;
  assert.ok(id);
  await service.app.database.db.updateTable('syncs').set({ type: 'trades' }).where('id', '=', id).execute();
});
after(() => service.close());

const SCOPE = 'data:read syncs:read syncs:write destinations:read destinations:write brokerage:read';

async function app(allow: readonly string[]): Promise<V2Client> {
  const browser = await signIn(service, owner);
  const tokens = await letIn(service, browser, { resource: `${service.url}/v2`, scope: SCOPE, allow });
  return v2Client(service.url, tokens.access);
}

/** What would have holdings or trades written, or written elsewhere. */
function ways(by: V2Client, sync: string, destination: string) {
  return {
    'its target': () =>
      by('POST', `/v2/destinations/${destination}`, { target: { url: 'https://app.example/' } }),
    'its grant': () =>
      by('POST', '/v2/destination_links', {
        type: 'webhook',
        return_url: 'https://app.example/done',
        destination,
      }),
    'a change': () => by('POST', `/v2/syncs/${sync}`, { name: 'Mine' }),
    'a run': () => by('POST', `/v2/syncs/${sync}/run`),
    'a range': () => by('POST', `/v2/syncs/${sync}/backfill`, { from: '2026-10-01' }),
    'everything again': () => by('POST', `/v2/syncs/${sync}/resync`, { confirm: true }),
  };
}

test('an app without brokerage:read has no holdings or trades written, nor written elsewhere', async () => {
  const by = await app(SCOPE.split(' ').slice(0, -1));
  for (const [what, ask] of Object.entries(ways(by, trades, webhook))) {
    const { status, body } = await ask();
    assert.deepEqual([status, body.error?.code], [403, 'insufficient_scope'], what);
    assert.match(body.error.message, /brokerage:read/);
  }
  assert.equal((await by('POST', `/v2/destinations/${webhook}`, { name: 'Books' })).status, 200);
  for (const [what, ask] of Object.entries(ways(by, transactions, sheet))) {
    assert.notEqual((await ask()).body.error?.code, 'insufficient_scope', what);
  }
});

test('an app with it, and a key, may', async () => {
  for (const by of [await app(SCOPE.split(' ')), owner.v2]) {
    for (const [what, ask] of Object.entries(ways(by, trades, webhook))) {
      assert.notEqual((await ask()).body.error?.code, 'insufficient_scope', what);
    }
  }
});

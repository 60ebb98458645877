import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { signatureOf } from '../../../sandbox/au-banking/notifications.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { copying } from '../../connectors/providers/contract-world.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { BANK, importedConnection, linkBank, until } from './person.ts';

/** What the simulated vendor signs with. */
const SECRET = Buffer.from('sandbox-webhook-secret').toString('base64');
/** How long it takes over its first copy. */
const FIRST_SYNC_MS = 200;

let service: TestService;
let owner: TestOwner;
/** The connection, its consent at the vendor and one of its accounts, here and there. */
let linked: { connection: string; consent: string; account: string; upstream: string };

before(async () => {
  service = await startService();
  owner = await service.owner();
  const connection = await linkBank(owner, { customer: 'sole-trader' });
  const { accounts } = await importedConnection(owner, connection);
  const [consent] = bank().consents();
  assert.ok(consent);
  const [first] = accounts;
  const upstream = await service.app.database.db
    .selectFrom('accounts')
    .select('upstream_id')
    .where('id', '=', parsePublicId('account', first.id) ?? assert.fail())
    .executeTakeFirstOrThrow();
  linked = { connection, consent: consent.arrangementId, account: first.id, upstream: upstream.upstream_id };
});
after(() => service.close());

const bank = () => sandboxBank(service.app);
const webhookRun = ({ trigger, status }: Json): boolean => trigger === 'webhook' && status === 'succeeded';

async function signalledAt(): Promise<Date | null> {
  const row = await connectionRow().select('signalled_at').executeTakeFirstOrThrow();
  return row.signalled_at;
}

function connectionRow() {
  const id = parsePublicId('connection', linked.connection) ?? assert.fail();
  return service.app.database.db.selectFrom('connections').where('id', '=', id);
}

/** As though a minute had passed since the last look. */
async function forgetLook(): Promise<void> {
  const id = parsePublicId('connection', linked.connection) ?? assert.fail();
  await service.app.database.db
    .updateTable('connections')
    .set({ signalled_at: null })
    .where('id', '=', id)
    .execute();
}

async function post(message: string, event: string, attempt = 1): Promise<number> {
  const body = JSON.stringify({
    delivery_attempt: attempt,
    publish_time: new Date().toISOString(),
    message_id: message,
    data: { event, end_user_id: 'eu_unknown', consent_id: linked.consent },
  });
  const response = await fetch(`${service.url}/provider-webhooks/au_banking`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-fiskil-signature': signatureOf(body, SECRET) },
    body,
  });
  await response.body?.cancel();
  return response.status;
}

describe('A notification of the bank data vendor', () => {
  it('of new rows runs what copies them, and the next read brings them', async (t) => {
    const copy = await copying(owner, linked.account);
    t.after(copy.close);
    const newest = async (): Promise<Json> => {
      const path = `/v2/transactions?account=${linked.account}`;
      return (await owner.v2('GET', path)).body.data[0];
    };
    const before = await newest();
    const description = 'Paid a moment ago';
    bank().appendTransactions(linked.upstream, [{ amount: '-12.34', description }]);
    assert.equal((await newest()).id, before.id, 'the window is cached');
    bank().notify('banking.transactions.sync.completed', linked.consent);
    const run = await until(copy.latest, webhookRun);
    assert.equal(run.counts.added, 1);
    assert.equal((await newest()).description, description);
    assert.deepEqual(
      bank()
        .notifications()
        .map(({ status }) => status),
      [200],
    );
  });

  it('of new rows while one sync of the connection runs for long runs the others at once, and that one afterwards', async (t) => {
    const [slow, quick] = [await copying(owner, linked.account), await copying(owner, linked.account)];
    t.after(() => Promise.all([slow.close(), quick.close()]));
    const runs = async (sync: string): Promise<number> =>
      (await owner.v2('GET', `/v2/syncs/${sync}/runs?limit=100`)).body.data.filter(webhookRun).length;
    const { promise: answered, resolve: release } = Promise.withResolvers<void>();
    slow.receiver.beforeAnswer = () => answered;
    const announce = async (description: string): Promise<void> => {
      await forgetLook();
      bank().appendTransactions(linked.upstream, [{ amount: '-1.00', description }]);
      bank().notify('banking.transactions.sync.completed', linked.consent);
    };
    const deliveries = slow.receiver.requests.length;
    await announce('Before it runs');
    await until(
      async () => slow.receiver.requests.length,
      (count) => count > deliveries,
    );
    await until(
      () => runs(quick.sync),
      (count) => count === 1,
    );
    await announce('While it runs');
    await until(
      () => runs(quick.sync),
      (count) => count === 2,
    );
    // Longer than two looks at whether the other still runs.
    await pause(8_000);
    assert.equal(await runs(quick.sync), 2);
    release();
    await until(
      () => runs(slow.sync),
      (count) => count === 2,
    );
    for (const { latest } of [slow, quick]) assert.equal((await latest()).counts.added, 1);
    // And none of them again.
    await pause(4_000);
    assert.deepEqual([await runs(slow.sync), await runs(quick.sync)], [2, 2]);
  });

  it('that comes again is passed over, also under another try, and another is not', async () => {
    const message = randomUUID();
    await forgetLook();
    assert.equal(await post(message, 'banking.accounts.sync.completed'), 200);
    assert.notEqual(await signalledAt(), null);
    await forgetLook();
    for (const attempt of [1, 2])
      assert.equal(await post(message, 'banking.accounts.sync.completed', attempt), 200);
    assert.equal(await signalledAt(), null);
    assert.equal(await post(randomUUID(), 'banking.accounts.sync.completed'), 200);
    assert.notEqual(await signalledAt(), null);
  });

  it('of a consent that still stands changes nothing, and of one that ended ends the connection', async () => {
    const status = async () => (await owner.v2('GET', `/v2/connections/${linked.connection}`)).body.status;
    const asked = () =>
      bank()
        .requests()
        .filter(({ path }) => path === '/v1/consent').length;
    await forgetLook();
    const before = asked();
    assert.equal(await post(randomUUID(), 'consent.revoked'), 200);
    await until(
      async () => asked(),
      (times) => times > before,
    );
    assert.equal(await status(), 'active');
    await forgetLook();
    bank().revokeConsent(linked.consent);
    bank().notify('consent.revoked', linked.consent);
    await until(status, (now) => now === 'invalidated');
  });

  it('says of a connection when the vendor last copied its data, not when we asked', async () => {
    const other = await linkBank(owner, { customer: 'dormant', at: BANK });
    const { last_refreshed_at: at } = await importedConnection(owner, other);
    const consent = await service.app.database.db
      .selectFrom('consents')
      .select('granted_at')
      .where('connection', '=', parsePublicId('connection', other) ?? assert.fail())
      .executeTakeFirstOrThrow();
    const copied = consent.granted_at.getTime() + FIRST_SYNC_MS;
    assert.equal(Math.floor(Date.parse(at) / 1000), Math.floor(copied / 1000));
  });
});

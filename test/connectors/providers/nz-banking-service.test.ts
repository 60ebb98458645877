import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectionId } from '../../../sandbox/nz-banking/banks.ts';
import { NzBankingControl } from '../../../sandbox/nz-banking/control.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { link } from '../../../src/surfaces/cli/commands/link.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { Browser } from '../../features/linking/browser.ts';
import { importedConnection, openCallback, RETURN_URL, until } from '../../features/linking/person.ts';
import { type ConsentChoices, completeConsent } from '../../support/consent-client.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';

const HARAKEKE = connectionId('harakeke', false);
const KAURI = connectionId('kauri', false);

let service: TestService;
let control: NzBankingControl;
const clock = new ShiftedClock();
before(async () => {
  service = await startService({}, { clock });
  const found = service.app.sandbox?.simulators.get('nz_banking')?.control;
  assert.ok(found instanceof NzBankingControl);
  control = found;
});
after(() => service.close());

/** Goes through the hosted page, the vendor's page and the callback; the session afterwards. */
async function signIn(owner: TestOwner, choices: ConsentChoices, renews?: string): Promise<Json> {
  const path = renews === undefined ? '/v2/link_sessions' : `/v2/connections/${renews}/reauthorize`;
  const body =
    renews === undefined ? { provider: 'nz_banking', return_url: RETURN_URL } : { return_url: RETURN_URL };
  const session = await owner.v2('POST', path, body);
  assert.equal(session.status, 200, JSON.stringify(session.body));
  const browser = new Browser();
  const page = await browser.visit(session.body.url);
  assert.match(page.html, /Akahu/);
  const begun = await browser.visit(session.body.url, 'POST');
  assert.equal(begun.status, 303, begun.html);
  assert.ok(begun.location.startsWith(`${service.url}/sandbox/nz-banking/oauth?`));
  const back = await completeConsent(begun.location, choices);
  const returned = await openCallback(back.href, browser);
  assert.equal(returned.status, 303, returned.html);
  return (await owner.v2('GET', `/v2/link_sessions/${session.body.id}`)).body;
}

/** Connections by the name of their bank, once all have their accounts. */
async function banksOf(owner: TestOwner): Promise<Map<string, Json>> {
  const listed = await until(
    async () => (await owner.v2('GET', '/v2/connections?include[]=accounts')).body.data,
    (all: Json[]) => all.every(({ status }) => status !== 'pending'),
  );
  return new Map(listed.map((one: Json) => [one.institution.name, one]));
}

const userOf = (customer: string) =>
  control.users().find((user) => user.customer === customer) ?? assert.fail(`${customer} shares nothing`);

describe('Banks in New Zealand through the service', () => {
  it('are linked in one sign-in, each a connection, and read like any other account', async () => {
    const owner = await service.owner();
    const session = await signIn(owner, { customer: 'three-banks+all' });
    assert.equal(session.status, 'completed');
    const banks = await banksOf(owner);
    assert.deepEqual([...banks.keys()].toSorted(), ['Harakeke Bank', 'Kauri Savings', 'Rimu Bank']);
    const [account] = banks.get('Harakeke Bank')?.accounts ?? [];
    assert.match(account.account_number, /^xxxx\d{4}$/);
    const balance = await owner.v2('GET', `/v2/accounts/${account.id}/balance`);
    assert.equal(balance.body.current.currency, 'nzd');
    const rows = await owner.v2('GET', `/v2/transactions?account=${account.id}&limit=100`);
    assert.equal(rows.status, 200);
    assert.ok(rows.body.data.length > 20);
    assert.ok(rows.body.data.every(({ id }: Json) => id.startsWith('txn_ak_trans_')));
    const details = await owner.v2('GET', `/v2/accounts/${account.id}/details`);
    assert.equal(details.body.error.code, 'not_supported');
    const listed = await owner.v2('GET', '/v2/institutions?provider=nz_banking');
    assert.ok(listed.body.data.some(({ id }: Json) => id === `inst_ak_${HARAKEKE}`));
  });

  it('are linked by the command line as someone of the sandbox', async () => {
    const { record } = await service.owner();
    const result = await link.run(
      { app: service.app, url: service.url, signal: AbortSignal.timeout(30_000) },
      { account: publicId('account_record', record.id), provider: 'nz_banking', persona: 'dormant+cli' },
    );
    const { institution, status, accounts } = link.parse(result);
    assert.deepEqual([institution, status, accounts.length], ['Harakeke Bank', 'active', 1]);
  });

  it('that come later are connections beside the first, and the session names the new one', async () => {
    const owner = await service.owner();
    const first = await signIn(owner, { customer: 'three-banks+later', institution: HARAKEKE });
    await importedConnection(owner, first.connection);
    const second = await signIn(owner, { customer: 'three-banks+later', institution: KAURI });
    assert.notEqual(second.connection, first.connection);
    assert.equal((await banksOf(owner)).get('Kauri Savings')?.id, second.connection);
    assert.equal((await banksOf(owner)).size, 2);
  });

  it('whose login is lost are invalidated, are read on, and come back in place with a new sign-in', async () => {
    const owner = await service.owner();
    const { connection } = await signIn(owner, { customer: 'salaried-household+lost' });
    const before = await importedConnection(owner, connection);
    const [login] = userOf('salaried-household+lost').authorisations;
    control.setLogin(login?.authorisationId ?? '', false);
    // The vendor notifies the service, which asks at once.
    const lost = await until(
      async () => (await owner.v2('GET', `/v2/connections/${connection}`)).body,
      ({ status }: Json) => status === 'invalidated',
    );
    assert.equal(lost.id, connection);
    const renewed = await signIn(owner, { customer: 'salaried-household+lost' }, connection);
    assert.equal(renewed.connection, connection);
    const after = await importedConnection(owner, connection);
    assert.equal(after.status, 'active');
    assert.deepEqual(
      after.accounts.map(({ id }: Json) => id),
      before.accounts.map(({ id }: Json) => id),
    );
  });

  it('are withdrawn one by one, and the person’s token is revoked with the last', async () => {
    const owner = await service.owner();
    await signIn(owner, { customer: 'three-banks+end' });
    const [first, ...others] = [...(await banksOf(owner)).values()];
    assert.equal((await owner.v2('DELETE', `/v2/connections/${first.id}`)).status, 200);
    await until(
      async () => userOf('three-banks+end').authorisations.length,
      (left) => left === 2,
    );
    for (const { id } of others) await owner.v2('DELETE', `/v2/connections/${id}`);
    await until(
      async () => userOf('three-banks+end').authorisations.length,
      (left) => left === 0,
    );
    const revoked = () =>
      control.requests().filter(({ method, path }) => method === 'DELETE' && path === '/v1/token').length;
    await until(
      async () => revoked(),
      (count) => count > 0,
    );
  });

  it('keep the ids of their accounts when the bank moves to its official connection', async () => {
    const owner = await service.owner();
    const { connection } = await signIn(owner, { customer: 'salaried-household+move' });
    const before = await importedConnection(owner, connection);
    control.setMigrating(HARAKEKE, true);
    const renewed = await signIn(owner, { customer: 'salaried-household+move' }, connection);
    control.setMigrating(HARAKEKE, false);
    assert.equal(renewed.status, 'completed', JSON.stringify(renewed));
    assert.equal(renewed.connection, connection);
    const accounts = async (): Promise<Json[]> =>
      (await owner.v2('GET', `/v2/accounts?connection=${connection}`)).body.data;
    const moved = await until(accounts, (all) => all.every(({ status }) => status === 'available'));
    const ids = (all: readonly Json[]) => all.map(({ id }) => id).toSorted();
    assert.deepEqual(ids(moved), ids(before.accounts));
    const rows = await owner.v2('GET', `/v2/transactions?account=${ids(moved)[0]}`);
    assert.equal(rows.status, 200, JSON.stringify(rows.body));
  });

  it('start a sync when the vendor tells of new rows, and forged news of them are refused', async () => {
    const owner = await service.owner();
    const { connection } = await signIn(owner, { customer: 'dormant+news' });
    const { accounts } = await importedConnection(owner, connection);
    const destination = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'books',
      target: { url: 'http://127.0.0.1:9/' },
    });
    const sync = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'All',
      destination: destination.body.id,
      accounts: [accounts[0].id],
      mapping_mode: 'bulk',
    });
    assert.equal(sync.status, 201, JSON.stringify(sync.body));
    const runs = async () => (await owner.v2('GET', `/v2/syncs/${sync.body.id}/runs`)).body.data;
    await until(runs, (all: Json[]) => all.every(({ status }) => !['queued', 'running'].includes(status)));
    const [account] = userOf('dormant+news').accounts;
    control.appendTransactions(account?.accountId ?? '', [{ amount: '-1.00', description: 'Coffee' }]);
    const forged = await fetch(`${service.url}/provider-webhooks/nz_banking`, {
      method: 'POST',
      body: '{}',
      headers: { 'x-akahu-signature': 'AAAA', 'x-akahu-signing-key': '1' },
    });
    assert.equal(forged.status, 401);
    await until(
      async () => control.notifications().at(-1)?.status,
      (status) => status === 'SENT',
    );
    const started = await until(runs, (all: Json[]) => all.some(({ trigger }) => trigger === 'webhook'));
    assert.ok(started.length >= 2);
  });
});

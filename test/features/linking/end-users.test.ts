import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { createLinking } from '../../../src/features/linking/linking.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import type { AccountRecord } from '../../../src/storage/account-records.ts';
import { endUsersToDelete, insertEndUser } from '../../../src/storage/end-users.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { DAY, LATER, MINUTE, openWorld, passing, signal, type World } from './world.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
afterEach(() => {
  mock.restoreAll();
  world.bank.control.clear();
});
after(() => world.close());

const sweep = () => passing(world, world.linking.orphanConsentSweep.sweep(signal()));
const known = () => world.bank.control.endUsers().map(({ id }) => id);
const active = () => world.bank.control.consents().filter((consent) => consent.active);
const rows = (owner: AccountRecord) =>
  world.db.selectFrom('end_users').selectAll().where('account_record', '=', owner.id).execute();

/** Sweeps until the vendor's pages have expired too. */
async function sweepToTheEnd(): Promise<void> {
  for (let day = 0; day < 7; day++) {
    world.clock.advance(DAY);
    await sweep();
  }
}

async function start(owner: AccountRecord): Promise<string> {
  const input = {
    provider: 'au_banking',
    institution: 'inst_fk_90001',
    returnUrl: LATER,
    metadata: null,
    actor: SOME_KEY,
  };
  const { url } = await world.linking.linkSessions.create(owner.id, input, signal());
  return url.slice(url.lastIndexOf('/') + 1);
}

describe('The end user that a link has at the vendor', () => {
  it('is its own, stays with its connection, is used again to renew it, and deleted with it', async () => {
    const before = known();
    const owner = await world.person();
    const connection = await world.link(owner);
    const other = await world.link(owner);
    const made = known().filter((id) => !before.includes(id));
    assert.equal(made.length, 2);
    world.clock.advance(MINUTE);
    assert.equal(await world.link(owner, { renews: connection }), connection);
    assert.deepEqual(
      known().filter((id) => !before.includes(id)),
      made,
    );
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    assert.deepEqual(
      known().filter((id) => made.includes(id)),
      [made[1]],
    );
    assert.equal((await world.linking.connections.read(owner.id, other)).status, 'active');
    await world.linking.connectionRevocation.revoke(owner.id, other, SOME_KEY, signal());
    assert.deepEqual(known(), before);
    await sweepToTheEnd();
    assert.deepEqual(await rows(owner), []);
  });

  it('is deleted again when the page that renews its connection has expired, where that was open', async () => {
    const owner = await world.person();
    const connection = await world.link(owner);
    const [made] = await rows(owner);
    assert.ok(made);
    world.clock.advance(10 * DAY);
    const { url } = await world.linking.linkSessions.reauthorize(owner.id, connection, {
      provider: null,
      returnUrl: LATER,
      metadata: null,
      actor: SOME_KEY,
    });
    await world.linking.hostedLinks.flow.begin(url.slice(url.lastIndexOf('/') + 1));
    await world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal());
    const deletions = () =>
      world.bank.control
        .requests()
        .filter(({ method, path }) => method === 'DELETE' && path.startsWith('/v1/end-users/')).length;
    assert.equal(deletions(), 1);
    await sweepToTheEnd();
    assert.equal(deletions(), 2);
    assert.deepEqual(await rows(owner), []);
  });

  for (const [how, end] of [
    ['is denied at the bank', async (token: string) => void token],
    [
      'is cancelled after the bank was asked',
      (token: string) => world.linking.hostedLinks.flow.cancel(token),
    ],
    ['runs out', async () => world.clock.advance(31 * MINUTE)],
  ] as const) {
    it(`is deleted when its session ${how}, and what was consented to is withdrawn`, async () => {
      const before = { known: known(), active: active() };
      const owner = await world.person();
      const outcome = how === 'is denied at the bank' ? 'deny' : 'approve';
      const consented = await world.consent(owner, { outcome });
      assert.equal(known().length, before.known.length + 1);
      if (outcome === 'deny') await world.openCallback(consented);
      await end(consented.token);
      await sweep();
      assert.deepEqual({ known: known(), active: active() }, before);
      await sweepToTheEnd();
      assert.deepEqual(await rows(owner), []);
    });
  }

  it('is deleted again and again until the vendor has done it', async () => {
    const before = known();
    const owner = await world.person();
    const { token } = await world.consent(owner);
    await world.linking.hostedLinks.flow.cancel(token);
    world.bank.control.addFault({ route: 'DELETE /v1/end-users/*', kind: 'unavailable', count: 6 });
    let sweeps = 0;
    for (; known().length > before.length; sweeps++) {
      assert.ok(sweeps < 10, 'it was never deleted');
      await sweep();
      world.clock.advance(10 * MINUTE);
    }
    assert.ok(sweeps > 1);
    assert.deepEqual(known(), before);
  });

  it('is deleted with its connection also where the vendor fails at that moment', async () => {
    const before = known();
    const owner = await world.person();
    const connection = await world.link(owner);
    world.bank.control.addFault({ route: 'DELETE /v1/end-users/*', kind: 'unavailable', count: 2 });
    await passing(world, world.linking.connectionRevocation.revoke(owner.id, connection, SOME_KEY, signal()));
    assert.equal(known().length, before.length + 1);
    world.clock.advance(10 * MINUTE);
    await sweep();
    assert.deepEqual(known(), before);
  });

  for (const [where, route] of [
    ['while it was being made', 'POST /v1/end-users'],
    ['while the page for it was being opened', 'POST /v1/auth/session'],
  ] as const) {
    it(`is made once, and deleted in the end, when the process dies ${where}`, async () => {
      const before = known();
      const owner = await world.person();
      const token = await start(owner);
      const { flow } = world.linking.hostedLinks;
      // As after a kill: the vendor has done it, and nothing more is written here.
      world.bank.control.addFault({ route, kind: 'drop-answer' });
      await assert.rejects(passing(world, flow.begin(token)));
      assert.equal(known().length, before.length + 1);
      const begun = await flow.begin(token);
      assert.ok(begun.kind === 'go' && begun.url.startsWith(world.bank.url));
      assert.equal(known().length, before.length + 1);
      world.clock.advance(31 * MINUTE);
      await sweep();
      assert.deepEqual(known(), before);
    });
  }

  it('is deleted in the end when the process died after making it and no one came again', async () => {
    const before = known();
    const owner = await world.person();
    const token = await start(owner);
    world.bank.control.addFault({ route: 'POST /v1/end-users', kind: 'drop-answer' });
    await assert.rejects(passing(world, world.linking.hostedLinks.flow.begin(token)));
    assert.equal(known().length, before.length + 1);
    world.clock.advance(31 * MINUTE);
    await sweep();
    assert.deepEqual(known(), before);
    assert.deepEqual(await rows(owner), []);
  });

  it('is not made after its deletion: a session cancelled meanwhile waits for the call under way', async () => {
    const before = known();
    const owner = await world.person();
    const token = await start(owner);
    const { flow } = world.linking.hostedLinks;
    const asIs = world.gateway.createCustomer.bind(world.gateway);
    mock.method(world.gateway, 'createCustomer', async (...asked: Parameters<typeof asIs>) => {
      await flow.cancel(token);
      await sweep();
      return asIs(...asked);
    });
    const begun = await flow.begin(token);
    assert.ok(begun.kind === 'go' && begun.url.startsWith(LATER));
    world.clock.advance(2 * MINUTE);
    await sweep();
    assert.deepEqual(known(), before);
  });

  it('is never linked once it was released, however late its callback ends', async () => {
    const owner = await world.person();
    const consented = await world.consent(owner);
    const asIs = world.gateway.completeLink.bind(world.gateway);
    mock.method(world.gateway, 'completeLink', async (...asked: Parameters<typeof asIs>) => {
      const came = await asIs(...asked);
      // This process stood still for half an hour.
      world.clock.advance(31 * MINUTE);
      await sweep();
      return came;
    });
    assert.deepEqual(await world.openCallback(consented), {
      kind: 'go',
      url: `${LATER}?link_session=failed&reason=session_expired`,
    });
    const page = { limit: 100, after: null, before: null };
    const all = await world.linking.connections.list(owner.id, { statuses: [], provider: null }, page);
    assert.deepEqual(all.items, []);
  });

  it('is another for every page of the vendor: the outcome of an earlier page is never taken for that of a later one', async () => {
    const owner = await world.person();
    const victim = await world.consent(owner, { customer: 'sole-trader' });
    const [theirs] = active().slice(-1);
    // The victim comes back in a browser of their own; who began the link goes on, consents and withdraws at the bank.
    assert.equal((await world.openCallback(victim, 'another')).kind, 'page');
    const { flow } = world.linking.hostedLinks;
    const begun = await flow.begin(victim.token);
    assert.ok(begun.kind === 'go');
    const callback = await world.approve(begun.url);
    const [own] = active().slice(-1);
    assert.notEqual(own?.endUserId, theirs?.endUserId);
    world.bank.control.revokeConsent(own?.arrangementId ?? '');
    assert.deepEqual(await world.openCallback({ ...victim, callback, proof: begun.proof }), {
      kind: 'waiting',
    });
    // Nor does the earlier redirect count any more.
    assert.deepEqual((await world.openCallback({ ...victim, proof: begun.proof })).kind, 'page');
    await sweep();
    assert.ok(!active().some(({ arrangementId }) => arrangementId === theirs?.arrangementId));
  });

  it('is deleted for others too while one owner has hundreds to delete', async () => {
    const [greedy, other] = [await world.person(), await world.person()];
    const now = new Date(world.clock.now());
    const row = (owner: AccountRecord, at: number) => ({
      id: newRowId(world.clock),
      account_record: owner.id,
      provider: 'au_banking' as const,
      connection: null,
      customer: null,
      customer_hash: null,
      asked_at: null,
      renewing_until: null,
      pages_until: null,
      released_at: now,
      delete_at: new Date(now.getTime() - at),
      created: now,
    });
    for (let at = 0; at < 300; at++) await insertEndUser(world.db, row(greedy, 1000 + at));
    await insertEndUser(world.db, row(other, 0));
    const due = await endUsersToDelete(world.db, now, 5, 50);
    assert.equal(due.filter((one) => one.account_record === greedy.id).length, 5);
    assert.equal(due.filter((one) => one.account_record === other.id).length, 1);
    await world.db.deleteFrom('end_users').execute();
  });
});

describe('A page of the vendor', () => {
  it('is opened once for a link by all processes together', async () => {
    const owner = await world.person();
    const token = await start(owner);
    const second = createLinking(world.options);
    world.bank.control.clear();
    const flows = [world.linking.hostedLinks.flow, second.hostedLinks.flow];
    const begun = await passing(
      world,
      Promise.all(Array.from({ length: 10 }, (_, at) => flows[at % 2]?.begin(token))),
    );
    assert.equal(new Set(begun.map((one) => (one?.kind === 'go' ? one.url : 'none'))).size, 1);
    const opened = world.bank.control
      .requests()
      .filter(({ method, path }) => method === 'POST' && path === '/v1/auth/session');
    assert.equal(opened.length, 1);
  });

  it('is asked for again once the claim of a process that died while asking has expired, under the same end user', async () => {
    const before = known();
    const owner = await world.person();
    const token = await start(owner);
    const asIs = world.gateway.beginLink.bind(world.gateway);
    // The process is gone once the vendor has opened a page: it gives nothing back, not even its claim.
    let died = false;
    mock.method(world.gateway, 'beginLink', async (...asked: Parameters<typeof asIs>) => {
      if (died) return asIs(...asked);
      died = true;
      await asIs(...asked);
      return new Promise(() => undefined);
    });
    void world.linking.hostedLinks.flow.begin(token);
    while (!died) await new Promise((resolve) => setTimeout(resolve, 20));
    const started = world.clock.now();
    const next = createLinking(world.options);
    const begun = await passing(world, next.hostedLinks.flow.begin(token));
    assert.ok(begun.kind === 'go' && begun.url.startsWith(world.bank.url));
    assert.ok(world.clock.now() - started > MINUTE);
    assert.equal(known().length, before.length + 1);
    const callback = await world.approve(begun.url);
    const answer = await world.openCallback({ token, callback, proof: begun.proof });
    assert.deepEqual(answer, { kind: 'go', url: `${LATER}?link_session=completed` });
  });

  it('is opened again for a person who starts again, once for a button pressed twice, five times at most [limit link_attempts]', async () => {
    const owner = await world.person();
    const token = await start(owner);
    const { flow } = world.linking.hostedLinks;
    const pages = new Set<string>();
    for (let attempt = 0; attempt < 5; attempt++) {
      const [once, twice] = [await flow.beginAnew(token, attempt), await flow.beginAnew(token, attempt)];
      assert.ok(once.kind === 'go' && twice.kind === 'go');
      assert.equal(once.url, twice.url);
      assert.ok(once.url.startsWith(world.bank.url));
      pages.add(once.url);
    }
    assert.equal(pages.size, 5);
    assert.deepEqual(await flow.beginAnew(token, 5), {
      kind: 'go',
      url: `${LATER}?link_session=failed&reason=too_many_attempts`,
      proof: null,
    });
  });

  it('whose answer counts once is replaced by another after an exchange that failed', async () => {
    mock.method(world.gateway, 'redeemsOnce', () => true);
    const owner = await world.person();
    const consented = await world.consent(owner);
    world.bank.control.addFault({ route: 'GET /v1/consent', kind: 'unavailable', count: 2 });
    await assert.rejects(passing(world, world.openCallback(consented)));
    const { flow } = world.linking.hostedLinks;
    const state = consented.callback.searchParams.get('state') ?? '';
    assert.deepEqual(await flow.afterFailure(state), { again: false, page: consented.token });
    const begun = await flow.begin(consented.token);
    assert.ok(begun.kind === 'go');
    const callback = await world.approve(begun.url);
    const answer = await world.openCallback({ ...consented, callback, proof: begun.proof });
    assert.deepEqual(answer, { kind: 'go', url: `${LATER}?link_session=completed` });
  });

  it('goes on being waited for where the link runs out while the vendor is asked [move link_session: the person returned in time and the bank answered late]', async () => {
    const owner = await world.person();
    const consented = await world.consent(owner);
    const asIs = world.gateway.completeLink.bind(world.gateway);
    mock.method(world.gateway, 'completeLink', async (...asked: Parameters<typeof asIs>) => {
      world.clock.advance(20_000);
      assert.deepEqual(await world.openCallback(consented), { kind: 'waiting' });
      await sweep();
      return asIs(...asked);
    });
    world.clock.advance(30 * MINUTE - 10_000);
    assert.deepEqual(await world.openCallback(consented), {
      kind: 'go',
      url: `${LATER}?link_session=completed`,
    });
  });
});

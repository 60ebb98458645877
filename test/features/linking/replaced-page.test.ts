import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it, mock } from 'node:test';
import { LATER, openWorld, passing, signal, type World } from './world.ts';

let world: World;
before(async () => {
  world = await openWorld();
});
afterEach(() => mock.restoreAll());
after(() => world.close());

const COMPLETED = { kind: 'go', url: `${LATER}?link_session=completed` } as const;
const sweep = () => passing(world, world.linking.orphanConsentSweep.sweep(signal()));
const active = () => world.bank.control.consents().filter((consent) => consent.active);

/** Has the next callback do `meanwhile` between the vendor's answer and what is made of it. */
function duringCallback(meanwhile: () => Promise<void>): void {
  const asIs = world.gateway.completeLink.bind(world.gateway);
  mock.method(
    world.gateway,
    'completeLink',
    async (...asked: Parameters<typeof asIs>) => {
      const came = await asIs(...asked);
      await meanwhile();
      return came;
    },
    { times: 1 },
  );
}

describe('Start again, pressed while the person comes back from the page before', () => {
  it('leads to the outcome of that page, and its consent stands', async () => {
    const owner = await world.person();
    const before = active().length;
    const consented = await world.consent(owner);
    const { flow } = world.linking.hostedLinks;
    let pressed: ReturnType<typeof flow.beginAnew> | null = null;
    duringCallback(async () => {
      pressed = flow.beginAnew(consented.token, 1);
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
    assert.deepEqual(await passing(world, world.openCallback(consented)), COMPLETED);
    assert.deepEqual(await passing(world, Promise.resolve(pressed)), { ...COMPLETED, proof: null });
    await sweep();
    assert.equal(active().length, before + 1);
  });

  it('never has a connection made of a consent that is being withdrawn, however late the callback ends', async () => {
    const owner = await world.person();
    const before = active().length;
    const consented = await world.consent(owner);
    const { flow } = world.linking.hostedLinks;
    let begun: Awaited<ReturnType<typeof flow.beginAnew>> | null = null;
    duringCallback(async () => {
      // This process stood still for longer than its claim on the callback lasts.
      world.clock.advance(40_000);
      begun = await flow.beginAnew(consented.token, 1);
    });
    assert.deepEqual(await world.openCallback(consented), { kind: 'waiting' });
    assert.equal((await world.openCallback(consented)).kind, 'page');
    await sweep();
    assert.equal(active().length, before);
    const { url = '', proof = null } = begun ?? {};
    const callback = await world.approve(url);
    assert.deepEqual(await world.openCallback({ ...consented, callback, proof }), COMPLETED);
    await sweep();
    assert.equal(active().length, before + 1);
  });
});

describe('What the bank sends back to a person who cancels there', () => {
  it('ends the link, and never proves the consent of someone else who goes on with the same page', async () => {
    const owner = await world.person();
    // A bank whose page goes on after someone turned back: both were there, and the consent stands.
    const other = await world.consent(owner, { outcome: 'cancel' });
    const refusal = other.callback.searchParams.get('state') ?? '';
    const asIs = world.gateway.completeLink.bind(world.gateway);
    const seen: Record<string, string>[] = [];
    mock.method(world.gateway, 'completeLink', async (...asked: Parameters<typeof asIs>) => {
      seen.push({ ...asked[1].query });
      return asIs(...asked);
    });
    const callback = new URL(other.callback);
    callback.search = `?state=${refusal}`;
    const answer = await world.openCallback({ ...other, callback });
    assert.deepEqual(seen, [{ error: 'access_denied' }]);
    assert.match(answer.kind === 'go' ? answer.url : '', /link_session=failed&reason=consent_denied$/);
  });
});

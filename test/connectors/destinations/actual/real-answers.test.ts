import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import { posted } from '../../../features/sync-engine/support/bank.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { linkedDestination, syncTo } from '../support/linked-world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const { signal } = new AbortController();

for (const way of ['header', 'openid'] as const) {
  test(`a server that lets no one in by a password (${way}) asks for a session token`, async () => {
    await using opened = await Scene.open();
    const account = opened.world.account();
    opened.world.bank.accounts.set(account, [posted(1, { day: 49 })]);
    const sync = await opened.sync([account]);
    opened.vendor.control.signInBy(way);
    const outcome = await opened.connector.signIn?.check('owner', opened.vendor.secret, signal);
    assert.ok(outcome?.kind === 'refused' && /session token/.test(outcome.message), JSON.stringify(outcome));
    const run = await opened.world.run(sync);
    assert.deepEqual([run.status, run.failure, run.retryable], ['failed', 'destination_auth_failed', false]);
  });
}

test('an address where a page answers is refused, since it is the address that is wrong', async () => {
  await using opened = await Scene.open();
  opened.vendor.control.addFault({ route: 'GET *', kind: 'html-page', count: 1 });
  const outcome = await opened.connector.signIn?.check('owner', opened.vendor.secret, signal);
  assert.ok(
    outcome?.kind === 'refused' && /check the address/.test(outcome.message),
    JSON.stringify(outcome),
  );
});

test('an impossible id of a budget is a missing budget', async () => {
  await using opened = await Scene.open();
  const { world, connector, destination } = opened;
  const grant = world.secrets.grant(destination) ?? assert.fail('no grant');
  const access = {
    owner: 'owner',
    current: async () => grant,
    renew: async () => assert.fail('not renewed'),
  };
  for (const id of ['my budget', 'Bücher', 'a\nb', '家計', '']) {
    await assert.rejects(
      connector.resources?.list(access, { type: 'account', parent: id, limit: 9 }, signal) ?? assert.fail(),
      (error) => error instanceof UpstreamFailure && error.situation === 'bad_request',
      id,
    );
  }
  const account = world.account();
  world.bank.accounts.set(account, [posted(1, { day: 49 })]);
  for (const id of ['my budget', '家計']) {
    const elsewhere = await linkedDestination(world, 'actual', grant, { budget_id: id });
    const accountMappings = [{ account, destination_account: opened.at('Everyday') }];
    const run = await world.run(await syncTo(world, elsewhere, [account], { accountMappings }));
    assert.deepEqual([run.failure, run.retryable], ['destination_resource_missing', false], id);
  }
});

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { CreationRequest } from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import type { DestinationResourceType } from '../../../../src/vocabulary/destinations.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';
import { closeDatabase } from '../../../features/sync-engine/support/world.ts';
import { Scene } from './scene.ts';

after(closeDatabase);

const { signal } = new AbortController();

/** The way to the grant of a scene that needs no renewal. */
function accessOf({ world, destination }: Scene) {
  const grant = world.secrets.grant(destination) ?? assert.fail('no grant');
  return { owner: '', current: async () => grant, renew: async () => assert.fail('the grant was over') };
}

async function namesOf(opened: Scene, type: DestinationResourceType, parent: string | null, limit = 100) {
  const list = await opened.connector.resources?.list(accessOf(opened), { type, parent, limit }, signal);
  return list?.map(({ name }) => name);
}

describe('resources', () => {
  test('are plans, open accounts, and the categories that people see', async () => {
    await using opened = await Scene.open();
    assert.deepEqual(await namesOf(opened, 'budget', null), [
      'Household',
      'Aotearoa',
      'Stateside',
      'Europe',
      'Tokyo',
      'Kuwait',
    ]);
    opened.vendor.control.changeAccount(opened.at('Savings'), { deleted: true });
    assert.deepEqual(await namesOf(opened, 'account', opened.plan), ['Everyday', 'Credit Card']);
    opened.vendor.control.changeCategory(opened.category('Internet'), { deleted: true });
    assert.deepEqual(await namesOf(opened, 'category', opened.plan), [
      'Bills: Rent',
      'Bills: Electricity',
      'Everyday: Groceries',
      'Everyday: Eating Out',
      'Everyday: Transport',
    ]);
    assert.deepEqual(opened.calls(), ['GET plans', 'GET accounts', 'GET categories']);
  });

  test('are no more than requested, the first ones', async () => {
    await using opened = await Scene.open();
    assert.deepEqual(await namesOf(opened, 'budget', null, 2), ['Household', 'Aotearoa']);
    assert.deepEqual(await namesOf(opened, 'category', opened.plan, 1), ['Bills: Rent']);
  });

  test('of an unknown plan are a bad request, however its id is written', async () => {
    await using opened = await Scene.open();
    for (const parent of ['00000000-0000-4000-8000-000000000000', '../user', 'a/b?c#d', '']) {
      await assert.rejects(
        namesOf(opened, 'account', parent),
        (error) => error instanceof UpstreamFailure && error.situation === 'bad_request',
        parent,
      );
    }
    assert.ok(!opened.calls().includes('GET user'));
  });

  test('fail as the situation says', async () => {
    const faults = [
      ['server-error', 'server_error'],
      ['rate-limit', 'rate_limited'],
      ['malformed-json', 'server_error'],
    ] as const;
    for (const [kind, situation] of faults) {
      await using opened = await Scene.open();
      opened.vendor.control.addFault({ route: 'GET *', kind, count: 9 });
      await assert.rejects(
        namesOf(opened, 'budget', null),
        (error) => error instanceof UpstreamFailure && error.situation === situation,
        kind,
      );
    }
  });
});

describe('accounts that are asked for', () => {
  const request = (opened: Scene, more: Partial<CreationRequest> = {}): CreationRequest => ({
    key: 'wish-1',
    again: false,
    name: 'Money',
    parent: null,
    target: { budget_id: opened.plan },
    type: 'transactions',
    mappingMode: 'bulk',
    accounts: (['transaction', 'credit-card', 'loan'] as const).map((type, at) => ({
      id: JSON.parse(JSON.stringify(`0192f0c4-0000-7000-8000-00000000000${at}`)),
      name: 'Everyday',
      institution: 'Test Bank',
      type,
      maskedNumber: null,
    })),
    ...more,
  });
  const make = (opened: Scene, more: Partial<CreationRequest> = {}) => {
    const created = opened.connector.create?.(accessOf(opened), request(opened, more), signal);
    return created ?? assert.fail('it makes nothing');
  };
  const standing = ({ vendor, plan }: Scene) =>
    vendor.control.plans().find(({ planId }) => planId === plan)?.accounts.length ?? 0;

  test('are made in the plan, one for each, and come back as mappings', async () => {
    await using opened = await Scene.open();
    const before = standing(opened);
    const { target, mappings } = await make(opened);
    assert.deepEqual(target, { budget_id: opened.plan });
    assert.equal(standing(opened), before + 3);
    assert.equal(new Set(mappings.map((one) => one.destination_account)).size, 3);
    for (const { destination_account_name: name } of mappings) {
      assert.match(name ?? '', /^Everyday \(Test Bank\) #[0-9a-f]{6}$/);
    }
  });

  test('are made once when it is tried twice under one key, and again under another', async () => {
    await using opened = await Scene.open();
    const before = standing(opened);
    const first = await make(opened);
    assert.deepEqual(await make(opened, { again: true }), first);
    assert.equal(standing(opened), before + 3);
    await make(opened, { key: 'wish-2' });
    assert.equal(standing(opened), before + 6);
  });

  for (const kind of ['drop-answer', 'connection-reset'] as const) {
    test(`are made once when the answer about any of them is lost (${kind})`, async () => {
      for (const after of [0, 1, 2]) {
        await using opened = await Scene.open();
        const before = standing(opened);
        opened.vendor.control.addFault({ route: 'POST /v1/*', kind, after });
        await assert.rejects(
          make(opened),
          (error) => error instanceof DestinationFailure && error.outcome === 'unknown',
        );
        const { mappings } = await make(opened, { again: true });
        assert.equal(mappings.length, 3);
        assert.equal(standing(opened), before + 3, `${after}`);
      }
    });
  }

  test('that YNAB refuses are certainly not made', async () => {
    await using opened = await Scene.open();
    opened.vendor.control.addFault({ route: 'POST /v1/*', kind: 'refusal' });
    await assert.rejects(
      make(opened),
      (error) => error instanceof DestinationFailure && error.outcome === 'refused',
    );
  });

  test('need a plan, which no application can make', async () => {
    await using opened = await Scene.open();
    await assert.rejects(
      make(opened, { target: null }),
      (error) =>
        error instanceof DestinationFailure &&
        error.outcome === 'refused' &&
        /make one there/.test(error.message),
    );
    assert.deepEqual(opened.calls(), []);
  });
});

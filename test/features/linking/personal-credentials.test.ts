import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { createLinking, type Linking } from '../../../src/features/linking/linking.ts';
import type { AccountRecord } from '../../../src/storage/account-records.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { LATER, openWorld, signal, type World } from './world.ts';

const BANK = 'inst_fk_90001';
const PAGE = { limit: 10, after: null, before: null };

let world: World;
let first: AccountRecord;
let personal = true;

before(async () => {
  world = await openWorld((real) => Object.defineProperty(real, 'personal', { get: () => personal }));
});
after(() => world.close());
beforeEach(async () => {
  personal = true;
  first = await world.person();
});
/** Anyone who a test made is gone for the next, which counts account records. */
afterEach(async () => {
  await world.db.deleteFrom('account_records').execute();
});

const start = (linking: Linking, owner: AccountRecord) =>
  linking.linkSessions.create(
    owner.id,
    { provider: 'au_banking', institution: BANK, returnUrl: LATER, metadata: null, actor: SOME_KEY },
    signal(),
  );
const namedFor = (owner: AccountRecord): Linking =>
  createLinking({ ...world.options, personalAccount: owner.id });
const banks = async (linking: Linking, owner: AccountRecord) =>
  (await linking.institutions.list(owner.id, null, null, PAGE, signal())).items.length;
const renewal = { provider: null, returnUrl: LATER, metadata: null, actor: SOME_KEY };

/** The first account of what the owner linked, read as every door reads it. */
async function reading(linking: Linking, owner: AccountRecord) {
  const { items } = await linking.accounts.list(owner.id, null, { limit: 1, after: null, before: null });
  return linking.accounts.resolve(owner.id, items[0]?.id ?? rowId('account', owner.id));
}

describe('Personal credentials without PERSONAL_ACCOUNT', () => {
  test('are linked and renewed by the only account record there is', async () => {
    const connection = await world.link(first);
    assert.ok((await banks(world.linking, first)) > 0);
    await world.linking.linkSessions.reauthorize(first.id, connection, renewal);
  });

  test('are linked by no one among several, and the refusal says what the operator has to set', async () => {
    const second = await world.person();
    for (const owner of [first, second]) {
      await assert.rejects(start(world.linking, owner), {
        code: 'parameter_invalid',
        param: 'provider',
        message: /PERSONAL_ACCOUNT/,
      });
    }
  });

  test('keep being read by the one that linked, when another account record is made later', async () => {
    const connection = await world.link(first);
    await world.person();
    assert.equal((await reading(world.linking, first)).connection.id, connection);
    await assert.rejects(world.linking.linkSessions.reauthorize(first.id, connection, renewal), {
      code: 'not_supported',
      message: /PERSONAL_ACCOUNT/,
    });
  });

  test('are refused to a link that another account record overtook before it completed', async () => {
    const consented = await world.consent(first);
    await world.person();
    assert.deepEqual(await world.openCallback(consented), {
      kind: 'go',
      url: `${LATER}?link_session=failed&reason=not_eligible`,
    });
    const connections = await world.db.selectFrom('connections').select('id').execute();
    assert.deepEqual(connections, []);
  });

  test('are refused to a renewal that another account record overtook before it completed', async () => {
    const connection = await world.link(first);
    const consented = await world.consent(first, { renews: connection });
    await world.person();
    assert.deepEqual(await world.openCallback(consented), {
      kind: 'go',
      url: `${LATER}?link_session=failed&reason=not_eligible`,
    });
    assert.equal((await reading(world.linking, first)).connection.id, connection);
  });
});

describe('Personal credentials with PERSONAL_ACCOUNT', () => {
  test('are linked by the account record it names, however many there are', async () => {
    const second = await world.person();
    const linking = namedFor(second);
    assert.equal((await start(linking, second)).status, 'pending');
    await assert.rejects(start(linking, first), { code: 'parameter_invalid', param: 'provider' });
  });

  test('show their banks to no one else', async () => {
    const second = await world.person();
    const linking = namedFor(second);
    assert.ok((await banks(linking, second)) > 0);
    assert.equal(await banks(linking, first), 0);
    const asked = linking.institutions.list(first.id, 'au_banking', null, PAGE, signal());
    await assert.rejects(asked, { code: 'gateway_unavailable' });
  });

  test('are not read for anyone who linked them before another was named', async () => {
    await world.link(first);
    const second = await world.person();
    await assert.rejects(reading(namedFor(second), first), {
      code: 'upstream_auth_failed',
      message: /PERSONAL_ACCOUNT/,
    });
    assert.equal((await reading(namedFor(first), first)).connection.provider, 'au_banking');
  });

  test('are not listed, checked or refreshed for anyone who linked them before another was named, but revoked', async () => {
    const id = await world.link(first);
    const second = await world.person();
    const linking = namedFor(second);
    const { connection, consent } = await linking.connections.read(first.id, id);
    const { length } = world.bank.control.requests();
    for (const ask of [
      () => linking.accountImport.importAccounts(first.id, id, signal()),
      () => linking.consentChecks.recheck(first.id, connection, consent ?? assert.fail(), signal()),
      () => linking.connections.refresh(first.id, id),
    ]) {
      await assert.rejects(ask(), { code: 'upstream_auth_failed', message: /PERSONAL_ACCOUNT/ });
    }
    assert.equal(world.bank.control.requests().length, length);
    await linking.connectionRevocation.revoke(first.id, id, SOME_KEY, signal());
    const { cleaned_at } = (await linking.connections.read(first.id, id)).connection;
    assert.notEqual(cleaned_at, null);
  });
});

test('A provider of any other credentials is linked, listed and read by everyone, anyone who is named', async () => {
  personal = false;
  const second = await world.person();
  const linking = namedFor(second);
  assert.equal(await banks(linking, first), await banks(linking, second));
  await world.link(first);
  assert.equal((await reading(linking, first)).connection.account_record, first.id);
});

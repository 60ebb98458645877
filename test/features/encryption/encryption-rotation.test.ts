import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { EncryptionRotation } from '../../../src/features/encryption/encryption-rotation.ts';
import { openKeyring, retainMacKeys } from '../../../src/features/encryption/open-keyring.ts';
import { NumberMacs } from '../../../src/features/linking/account-matching.ts';
import { LinkTokens } from '../../../src/features/linking/link-tokens.ts';
import { LinkingSecrets } from '../../../src/features/linking/linking-secrets.ts';
import { type Keyring, parseKeyring } from '../../../src/platform/keyring.ts';
import { Sealer } from '../../../src/platform/sealing.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { openTestDatabase } from '../../support/database.ts';

const OLD = `old:${randomBytes(32).toString('base64')}`;
const NEW = `new:${randomBytes(32).toString('base64')}`;
const NUMBER = { provider: 'au_banking', institution: 'bank', number: '062-000 1234' } as const;

const ring = (text: string): Keyring => parseKeyring(text, 'a test');

test('An account number and a link are recognised after the key that made their MACs is gone, and nothing sealed under it opens', async (t) => {
  const { database, db, close } = await openTestDatabase();
  t.after(close);
  const before = ring(OLD);
  const number = new NumberMacs(before).of(NUMBER) ?? '';
  const link = rowId('link_session', '018f0000-0000-7000-8000-000000000001');
  const token = new LinkTokens(before, 'link_session', 'link-token').tokenOf(link);
  const sealed = new Sealer(before, 'linking').seal('secret', 'here');

  const both = ring(`${NEW},${OLD}`);
  const source = { encryptionKey: `${NEW},${OLD}`, dataDir: '/nowhere' };
  const rotation = new EncryptionRotation({ db, keyring: both, notices: new Notices(database), source });
  await rotation.begin();
  await rotation.begin();
  assert.deepEqual(await rotation.use(), { primary: 'new', older: [{ id: 'old', values: 0 }], left: 0 });

  const after = await openKeyring(db, { encryptionKey: NEW, dataDir: '/nowhere' });
  assert.deepEqual(after.ids, ['new']);
  assert.ok(new NumberMacs(after).matches(number, NUMBER));
  assert.ok(!new NumberMacs(after).matches(number, { ...NUMBER, number: '062-000 1235' }));
  assert.equal(new LinkTokens(after, 'link_session', 'link-token').linkOf(token), link);
  assert.equal(new LinkTokens(after, 'destination_link', 'destination-link-token').linkOf(token), null);
  assert.throws(() => new Sealer(after, 'linking').open(sealed, 'here'), /encryption key "old"/);
  const without = ring(NEW);
  assert.ok(!new NumberMacs(without).matches(number, NUMBER), 'it is the kept subkey that recognises it');
  await retainMacKeys(db, without);
  assert.ok(new NumberMacs(without).matches(number, NUMBER));
});

test('A slice seals something, however late it is when the database has found the first values', async (t) => {
  const { database, db, close } = await openTestDatabase();
  t.after(close);
  const rotationWith = (encryptionKey: string) =>
    new EncryptionRotation({
      db,
      keyring: ring(encryptionKey),
      notices: new Notices(database),
      source: { encryptionKey, dataDir: '/nowhere' },
    });
  await rotationWith(`${NEW},${OLD}`).begin();
  const rotation = rotationWith(`third:${randomBytes(32).toString('base64')},${NEW},${OLD}`);
  const { left } = await rotation.use();
  assert.ok(left > 0, 'the subkeys are sealed under the key that is replaced now');
  assert.ok((await rotation.sealAnew(performance.now() - 1)) > 0);
});

test('A process that meets a value under a key it does not know takes the keys that were added meanwhile', () => {
  const here = ring(OLD);
  const there = ring(`${NEW},${OLD}`);
  const sealed = new Sealer(there, 'linking').seal('secret', 'here');
  assert.throws(() => new Sealer(here, 'linking').open(sealed, 'here'), /encryption key "new"/);
  here.reread = () => there;
  assert.equal(new Sealer(here, 'linking').open(sealed, 'here').toString(), 'secret');
  assert.equal(here.primary.id, 'new', 'and seals under the new one from then on');
});

test('What is sealed says its version, and one of the future is refused', () => {
  const keyring = ring(NEW);
  const sealer = new Sealer(keyring, 'linking');
  const secrets = new LinkingSecrets(keyring);
  const consent = rowId('consent', '018f0000-0000-7000-8000-000000000002');
  const grant = { consent: 'd', institution: 'i' };
  const kept = (value: object) => sealer.seal(JSON.stringify(value), `consents/${consent}/grant`);
  for (const customer of ['c', null]) {
    const sealed = secrets.sealGrant(consent, { grant, customer });
    assert.deepEqual(secrets.openGrant(consent, sealed), { grant, customer });
  }
  assert.throws(() => secrets.openGrant(consent, kept({ v: 2, consent: 'd' })), /lacks a member/);
  assert.throws(() => secrets.openGrant(consent, kept({ v: 3, ...grant })), /unknown version/);
  const user = '018f0000-0000-7000-8000-000000000003';
  for (const customer of [
    { id: 'eu_1', secret: 's' },
    { id: '{', secret: null },
  ]) {
    assert.deepEqual(secrets.openEndUser(user, secrets.sealEndUser(user, customer)), customer);
  }
  const later = sealer.seal(JSON.stringify({ v: 3, id: 'eu_1', secret: 's' }), `end_users/${user}/customer`);
  assert.throws(() => secrets.openEndUser(user, later), /unknown version/);
});

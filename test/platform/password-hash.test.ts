import assert from 'node:assert/strict';
import { argon2Sync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from '../../src/platform/password-hash.ts';

const PASSWORD = 'correct horse battery';
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** What another version, or another program, has stored. */
function phc(memory: number, passes: number): string {
  const nonce = randomBytes(16);
  const hash = argon2Sync('argon2id', {
    message: PASSWORD,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory,
    passes,
  });
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${base64(nonce)}$${base64(hash)}`;
}

test('a hash names its algorithm and what it costs, is salted, and matches its password alone', async () => {
  const [one, other] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(one, other);
  assert.deepEqual(await verifyPassword(PASSWORD, one), { matches: true, outdated: false });
  assert.deepEqual(await verifyPassword(`${PASSWORD} `, one), { matches: false, outdated: false });
});

test('a password typed with composed characters matches one typed with combining ones', async () => {
  const hash = await hashPassword('caf\u00e9 horse battery');
  assert.equal((await verifyPassword('cafe\u0301 horse battery', hash)).matches, true);
});

test('a hash of other parameters matches and is found outdated', async () => {
  for (const stored of [phc(64, 1), phc(19_456, 1), phc(32_768, 2)]) {
    assert.deepEqual(await verifyPassword(PASSWORD, stored), { matches: true, outdated: true });
  }
});

test('nothing matches without a hash, or with one that cannot be read or would cost too much', async () => {
  const hash = await hashPassword(PASSWORD);
  for (const stored of [
    null,
    '',
    'plain',
    hash.replace('argon2id', 'argon2d'),
    hash.replace('m=19456', 'm=9999999'),
    hash.replace('t=2', 't=99'),
    hash.replace('p=1', 'p=0'),
  ]) {
    assert.equal((await verifyPassword(PASSWORD, stored)).matches, false, String(stored));
  }
});

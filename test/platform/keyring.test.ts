import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import {
  addPrimaryKey,
  KeyringError,
  loadKeyring,
  newKeyEntry,
  parseKeyring,
  retireOldKeys,
} from '../../src/platform/keyring.ts';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'tributary-keyring-'));
});
after(() => rm(root, { recursive: true }));

test('the first start makes one key, readable by its owner only, that later starts use again', async () => {
  const dataDir = join(root, 'fresh', 'data');
  const rings = await Promise.all(
    Array.from({ length: 12 }, () => loadKeyring({ encryptionKey: undefined, dataDir })),
  );
  const again = await loadKeyring({ encryptionKey: ' ', dataDir });
  for (const ring of rings) assert.deepEqual(ring.primary, again.primary);
  assert.equal((await stat(join(dataDir, 'encryption.key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dataDir), ['encryption.key'], 'no drafts are left');
  assert.equal(again.primary.key.length, 32);
});

test('a key file that others can read is refused, with what to do, and is left alone', async () => {
  const path = join(root, 'encryption.key');
  const text = newKeyEntry();
  for (const mode of [0o640, 0o604, 0o660, 0o644]) {
    await writeFile(path, text);
    await chmod(path, mode);
    await assert.rejects(loadKeyring({ encryptionKey: undefined, dataDir: root }), (error: Error) => {
      assert.ok(error instanceof KeyringError);
      assert.match(error.message, /chmod 600/);
      assert.ok(!error.message.includes(text.slice(9)));
      return true;
    });
  }
  assert.equal(await readFile(path, 'utf8'), text);
  await chmod(path, 0o600);
  const ring = await loadKeyring({ encryptionKey: undefined, dataDir: root });
  assert.equal(`${ring.primary.id}:${ring.primary.key.toString('base64')}`, text);
});

test('keys are accepted named, bare, in base64 or hexadecimal; the first is the primary', () => {
  const [a, b] = [randomBytes(32), randomBytes(32)];
  const ring = parseKeyring(`new:${a.toString('base64')}, old:${b.toString('base64')}`, 'ENCRYPTION_KEY');
  assert.equal(ring.primary.id, 'new');
  assert.deepEqual(ring.find('old')?.key, b);
  assert.equal(ring.find('other'), undefined);
  const ids = [a.toString('base64'), a.toString('hex'), a.toString('base64url')].map((text) => {
    const { primary } = parseKeyring(text, 'ENCRYPTION_KEY');
    assert.deepEqual(primary.key, a);
    return primary.id;
  });
  assert.equal(new Set(ids).size, 1, 'the id of a bare key depends on the key only');
  assert.notEqual(ids[0], parseKeyring(b.toString('hex'), 'ENCRYPTION_KEY').primary.id);
});

test('a malformed key is refused by a message that names the source and holds no key material', () => {
  const good = randomBytes(32).toString('base64');
  const bad = [
    ',',
    good.slice(0, -4),
    `${good}AAAA`,
    `!${good.slice(1)}`,
    `${good.slice(0, 10)} ${good.slice(10)}`,
    `bad id:${good}`,
    `:${good}`,
    `${'x'.repeat(33)}:${good}`,
    `a:${good},a:${randomBytes(32).toString('base64')}`,
    Buffer.alloc(32).toString('base64'),
  ];
  for (const text of bad) {
    assert.throws(
      () => parseKeyring(text, 'ENCRYPTION_KEY'),
      (error: Error) => {
        assert.ok(error instanceof KeyringError, text);
        assert.match(error.message, /ENCRYPTION_KEY/);
        assert.ok(!error.message.includes(good.slice(12, 24)));
        return true;
      },
    );
  }
});

test('subkeys differ by purpose and by key, and are the same on every start', () => {
  const text = `${newKeyEntry()},${newKeyEntry()}`;
  const [one, two] = [parseKeyring(text, 'x'), parseKeyring(text, 'x')];
  const oldId = text.split(',')[1]?.split(':')[0] ?? '';
  assert.deepEqual(one.derive('tokens'), two.derive('tokens'));
  assert.notDeepEqual(one.derive('tokens'), one.derive('cache'));
  assert.notDeepEqual(one.derive('tokens'), one.derive('tokens', oldId));
  assert.notDeepEqual(one.derive('tokens'), one.primary.key);
  assert.throws(() => one.derive('tokens', 'unknown'), KeyringError);
});

test('printing a keyring shows no key', () => {
  const ring = parseKeyring(newKeyEntry(), 'x');
  const shown = inspect(ring, { showHidden: true, depth: 9 }) + JSON.stringify(ring);
  assert.ok(!shown.includes(ring.primary.key.toString('base64').slice(0, 8)));
  assert.ok(!shown.includes(ring.primary.key.toString('hex').slice(0, 4)), shown);
});

test('a rotation puts a new primary before the old key, and at its end drops the old one', async () => {
  const dataDir = join(root, 'rotated');
  const old = await loadKeyring({ encryptionKey: undefined, dataDir });
  const during = await addPrimaryKey(dataDir);
  assert.notEqual(during.primary.id, old.primary.id);
  assert.deepEqual(during.find(old.primary.id), old.primary);
  assert.deepEqual((await loadKeyring({ encryptionKey: undefined, dataDir })).primary, during.primary);
  const after = await retireOldKeys(dataDir);
  assert.deepEqual(after.primary, during.primary);
  assert.equal(after.find(old.primary.id), undefined);
  assert.equal((await loadKeyring({ encryptionKey: undefined, dataDir })).find(old.primary.id), undefined);
  assert.equal((await stat(join(dataDir, 'encryption.key'))).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dataDir), ['encryption.key']);
});

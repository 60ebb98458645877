import assert from 'node:assert/strict';
import { access, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { EncryptionRotation } from '../../../src/features/encryption/encryption-rotation.ts';
import { openKeyring } from '../../../src/features/encryption/open-keyring.ts';
import { NumberMacs } from '../../../src/features/linking/account-matching.ts';
import { LinkTokens } from '../../../src/features/linking/link-tokens.ts';
import { addPrimaryKey } from '../../../src/platform/keyring.ts';
import { Sealer } from '../../../src/platform/sealing.ts';
import type { OpenDatabase } from '../../../src/storage/database.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { openTestDatabase } from '../../support/database.ts';
import { scratchDirectory } from '../../support/scratch.ts';

const NUMBER = { provider: 'au_banking', institution: 'bank', number: '062-000 1234' } as const;

/** A process on the database and the data directory, as far as keys go. */
async function startProcess(t: TestContext, database: OpenDatabase, dataDir: string) {
  const source = { encryptionKey: undefined, dataDir };
  const keyring = await openKeyring(database.db, source);
  const notices = new Notices(database);
  const rotation = new EncryptionRotation({ db: database.db, keyring, notices, source });
  await notices.start();
  t.after(() => notices.stop());
  return { keyring, rotation };
}

async function soon(what: string, holds: () => boolean): Promise<void> {
  for (let attempt = 0; !holds(); attempt++) {
    assert.ok(attempt < 200, what);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

test('A process that runs on while another changes the key and drops the old one still recognises accounts and links', async (t) => {
  const { database, close } = await openTestDatabase();
  t.after(close);
  const dataDir = await scratchDirectory();
  const [here, there] = [await startProcess(t, database, dataDir), await startProcess(t, database, dataDir)];
  const old = there.keyring.primary.id;
  const number = new NumberMacs(there.keyring).of(NUMBER) ?? '';
  const tokens = new LinkTokens(there.keyring, 'link_session', 'link-token');
  const link = rowId('link_session', '018f0000-0000-7000-8000-000000000001');
  const token = tokens.tokenOf(link);
  await here.rotation.begin();
  await here.rotation.sealAnew(performance.now() + 60_000);
  await here.rotation.retire();
  await soon(
    'it never heard of it',
    () => there.keyring.primary.id !== old && there.keyring.ids.length === 1,
  );
  assert.ok(new NumberMacs(there.keyring).matches(number, NUMBER));
  assert.equal(tokens.linkOf(token), link);
});

test('A rotation whose process died before others heard of the new key tells them when it goes on', async (t) => {
  const { database, close } = await openTestDatabase();
  t.after(close);
  const dataDir = await scratchDirectory();
  const there = await startProcess(t, database, dataDir);
  const begun = await addPrimaryKey(dataDir);
  const here = await startProcess(t, database, dataDir);
  await here.rotation.begin();
  await soon('it seals under the old key forever', () => there.keyring.primary.id === begun.primary.id);
});

test('A rotation without its key file is refused, and what is sealed goes on being opened', async (t) => {
  const { database, close } = await openTestDatabase();
  t.after(close);
  const dataDir = await scratchDirectory();
  const { keyring, rotation } = await startProcess(t, database, dataDir);
  const sealer = new Sealer(keyring, 'linking');
  const sealed = sealer.seal('secret', 'here');
  const file = join(dataDir, 'encryption.key');
  await rename(file, `${file}.away`);
  await assert.rejects(rotation.begin(), /does not contain the key in use/);
  await assert.rejects(access(file), 'no key was made in place of the lost one');
  assert.equal(sealer.open(sealed, 'here').toString(), 'secret');
  await rename(`${file}.away`, file);
  await rotation.begin();
  assert.equal(sealer.open(sealed, 'here').toString(), 'secret');
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { access, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LIMITS_ASIDE } from '../../../src/app/demo/limits-aside.ts';
import { serveInstallation } from '../../../src/app/installation.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { DestinationSecrets } from '../../../src/features/destinations/destination-secrets.ts';
import { countSealed } from '../../../src/features/operator/sealed-secrets.ts';
import { loadKeyring } from '../../../src/platform/keyring.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { openDatabase } from '../../../src/storage/database.ts';
import {
  type DestinationRow,
  insertDestination,
  listDestinations,
} from '../../../src/storage/destinations.ts';
import { type OwnerId, parsePublicId, rowId } from '../../../src/vocabulary/ids.ts';
import { v2Client } from '../../support/v2-client.ts';
import { startTributary, tributary, tributaryInProcess } from './run-tributary.ts';
import { madeDataDir } from './temporary-directory.ts';

const log = createLog({ level: 'silent' });
const URL_TOKEN = 'VQKZJWXP4471';
const OUTBOUND = { OUTBOUND_ALLOW: '127.0.0.0/8', ...LIMITS_ASIDE };

async function serves(dataDir: string, more: Readonly<Record<string, string>> = {}) {
  return serveInstallation(readConfig({ DATA_DIR: dataDir, PORT: '0', ...OUTBOUND, ...more }), log, true);
}

const webhook = (name: string) => ({
  type: 'webhook',
  name,
  target: { url: `http://127.0.0.1:9/hook?token=${URL_TOKEN}&n=${name}` },
});

/** A data directory in which something is sealed. */
async function sealedDataDir(t: TestContext, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const dataDir = await madeDataDir(t);
  const { running, welcome, close } = await serves(dataDir, more);
  const made = await v2Client(running.url, welcome.first?.secret ?? '')(
    'POST',
    '/v2/destinations',
    webhook('one'),
  );
  assert.equal(made.status, 200);
  await close();
  return dataDir;
}

test('A data directory whose key file is lost or belongs to another installation is refused and left as it is', async (t) => {
  const dataDir = await sealedDataDir(t);
  const file = join(dataDir, 'encryption.key');
  const [id = ''] = (await readFile(file, 'utf8')).split(':');
  await rename(file, `${file}.lost`);
  const lost = await tributaryInProcess(['account', 'list'], { DATA_DIR: dataDir });
  assert.equal(lost.code, 1);
  assert.match(
    lost.stderr,
    new RegExp(`encryption.key is missing.*sealed under key "${id}".*Put the file back`),
  );
  await assert.rejects(access(file), 'no key was made in place of the lost one');

  await writeFile(file, `other:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  await assert.rejects(serves(dataDir), new RegExp(`key "${id}", which is not in .*that holds key "other"`));
  const { stdout, code } = await tributaryInProcess(['doctor'], { DATA_DIR: dataDir });
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`fail +storage .*key "${id}"`));

  await writeFile(file, `${id}:${randomBytes(32).toString('base64')}\n`);
  await assert.rejects(
    serves(dataDir),
    new RegExp(`key "${id}" of .* does not open what was sealed under that id`),
  );

  await rm(file);
  await rename(`${file}.lost`, file);
  const back = await serves(dataDir);
  await back.close();
});

test('A key that ENCRYPTION_KEY lacks is named, with what to do', async (t) => {
  const key = `first:${randomBytes(32).toString('base64')}`;
  const other = `second:${randomBytes(32).toString('base64')}`;
  const dataDir = await sealedDataDir(t, { ENCRYPTION_KEY: key });
  await assert.rejects(
    serves(dataDir, { ENCRYPTION_KEY: other }),
    /sealed under key "first", which is not in ENCRYPTION_KEY: that holds key "second"\. Add the key/,
  );
  const env = { DATA_DIR: dataDir, ENCRYPTION_KEY: `${other},${key}` };
  const rotated = await tributaryInProcess(['keys', 'rotate-encryption'], env);
  assert.equal(rotated.code, 0, rotated.stderr);
  assert.match(
    rotated.stdout,
    /sealed under key "second"\. The older key can be removed \("first"\): keep only the first key/,
  );
  const alone = await serves(dataDir, { ENCRYPTION_KEY: other });
  await alone.close();
});

test('The encryption key is changed under load, through a kill in the middle, and the old key then goes; everything opens and links given out go on working', async (t) => {
  const dataDir = await madeDataDir(t);
  const file = join(dataDir, 'encryption.key');
  const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', ...OUTBOUND };
  const first = await serves(dataDir);
  const { secret = '', account = '' } = first.welcome.first ?? {};
  assert.ok(secret);
  const v2 = v2Client(first.running.url, secret);
  const banks = await v2('GET', '/v2/institutions?provider=au_banking');
  const session = await v2('POST', '/v2/link_sessions', {
    provider: 'au_banking',
    institution: banks.body.data[0].id,
    return_url: 'http://127.0.0.1:9/back',
  });
  assert.equal(session.status, 200, JSON.stringify(session.body));
  const linkPath = new URL(session.body.url).pathname;
  await fillDestinations(dataDir, first.running.app.database.db, parsePublicId('account_record', account));
  await first.close();
  const before = await readFile(file, 'utf8');

  const victim = startTributary(['serve', '--json'], env);
  t.after(() => victim.child.kill('SIGKILL'));
  const load = underLoad(await urlOf(victim), secret, 'a');
  const broken = startTributary(['keys', 'rotate-encryption'], env);
  while (!broken.stderr().includes('values left')) await pause();
  const early = await load.end();
  victim.child.kill('SIGKILL');
  await victim.ended;
  // Without a server the command goes on with the storage on its own, or says that the server is gone.
  await broken.ended;
  assert.ok(early.made > 0 && early.failed.length === 0, JSON.stringify(early));
  const during = (await readFile(file, 'utf8')).trim().split('\n');
  assert.equal(during.length, 2);
  assert.equal(during[1], before.trim(), 'the old key stays until it is removed');

  const successor = await serves(dataDir);
  const { url } = successor.running;
  const later = underLoad(url, secret, 'b');
  const whole = await tributary(['keys', 'rotate-encryption'], env);
  assert.equal(whole.code, 0, whole.stderr);
  assert.match(whole.stdout, /The older key can be removed/);
  const end = await later.end();
  assert.ok(end.made > 0 && end.failed.length === 0, JSON.stringify(end));
  const doctor = await tributaryInProcess(['doctor'], env);
  assert.match(doctor.stdout, /older encryption key +nothing is sealed under key ".*it can be removed/);
  assert.match(doctor.stdout, /sealed secrets +\d+ sealed, all can be opened/);
  const retired = await tributaryInProcess(['keys', 'rotate-encryption', '--retire'], env);
  assert.equal(retired.code, 0, retired.stderr);
  assert.equal((await readFile(file, 'utf8')).trim(), during[0]);
  assert.equal((await fetch(new URL(linkPath, url))).status, 200, 'without a restart');
  await successor.close();

  const after = await serves(dataDir);
  t.after(() => after.close());
  const { db } = after.running.app.database;
  const keyring = await loadKeyring({ encryptionKey: undefined, dataDir });
  assert.equal(keyring.ids.length, 1);
  const { sealed, unreadable } = await countSealed(db, keyring);
  assert.ok(sealed > 3 * FILLED && unreadable === 0, `${sealed} sealed, ${unreadable} unreadable`);
  assert.equal((await fetch(new URL(linkPath, after.running.url))).status, 200, 'after a restart');
  const again = await v2Client(after.running.url, secret)('POST', '/v2/destinations', webhook('a0'));
  assert.equal(again.body.error?.code, 'destination_exists', 'a target is found again under its old MAC');
});

const FILLED = 800;

/** So many sealed values that a rotation takes a while. */
async function fillDestinations(
  dataDir: string,
  db: Awaited<ReturnType<typeof openDatabase>>['db'],
  accountRecord: OwnerId | null,
): Promise<void> {
  const secrets = new DestinationSecrets(await loadKeyring({ encryptionKey: undefined, dataDir }));
  assert.ok(accountRecord !== null);
  const page = { limit: 1, after: null, before: null };
  assert.equal((await listDestinations(db, accountRecord, page)).items.length, 0);
  await db.transaction().execute(async (trx) => {
    for (let n = 0; n < FILLED; n++) {
      const id = rowId('destination', `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`);
      const row: DestinationRow = {
        id,
        account_record: accountRecord,
        type: 'webhook',
        name: `Filled ${n}`,
        status: 'active',
        ...secrets.sealTarget(id, { url: `http://127.0.0.1:9/filled/${n}` }),
        signing_secret: secrets.newSigningSecret(id).sealed,
        previous_secret: null,
        previous_secret_until: null,
        grant: null,
        grant_claimed_until: null,
        creation_key: null,
        creating_until: null,
        mac_key: secrets.newMacKey(id),
        failed_runs: 0,
        first_failed_at: null,
        metadata: null,
        created: new Date(0),
        updated: new Date(0),
      };
      await insertDestination(trx, row);
    }
  });
}

/** Makes and reads destinations until it is ended. */
function underLoad(url: string, secret: string, name: string) {
  const v2 = v2Client(url, secret);
  let over = false;
  const counts: { made: number; failed: unknown[] } = { made: 0, failed: [] };
  const work = (async () => {
    for (let n = 0; !over; n++) {
      const made = await v2('POST', '/v2/destinations', webhook(`${name}${n}`));
      const read = await v2('GET', `/v2/destinations/${made.body.id}`);
      if (read.body.target?.url === webhook(`${name}${n}`).target.url) counts.made += 1;
      else counts.failed.push(made.body, read.body);
      await pause();
    }
  })();
  return {
    end: async () => {
      over = true;
      await work;
      return counts;
    },
  };
}

async function urlOf(server: ReturnType<typeof startTributary>): Promise<string> {
  while (!server.stdout().includes('\n')) await pause();
  return String(JSON.parse(server.stdout()).url);
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 100));

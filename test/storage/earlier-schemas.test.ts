import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Tributary } from '#client';
import { unpackDirectory } from '../../scripts/lib/data-archive.ts';
import { EARLIER_BANK, EARLIER_ROWS, earlierBank } from '../../scripts/lib/earlier-bank.ts';
import type { EarlierContent } from '../../scripts/lib/earlier-content.ts';
import { EarlierReceiver, type ReceivedEvent } from '../../scripts/lib/earlier-receiver.ts';
import { banksByName, linkCustomer, until } from '../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../src/app/demo/limits-aside.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { type Running, serve } from '../../src/app/serve.ts';
import { countSealed } from '../../src/features/operator/sealed-secrets.ts';
import { ShiftedClock } from '../../src/platform/clock.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { loadKeyring } from '../../src/platform/keyring.ts';
import { createLog } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { pendingMigrations } from '../../src/storage/migrator.ts';
import { catalogOf } from '../support/catalog.ts';
import { seedDataDir } from '../support/schema-template.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { THOROUGH } from '../support/thorough.ts';

const EARLIER = fileURLToPath(new URL('earlier/', import.meta.url));
const KEPT = readdirSync(EARLIER).filter((name) => name.endsWith('.zst'));
const HOUR_MS = 3_600_000;
const WAIT_MS = 60_000;

type Kept = EarlierContent & { readonly commit: string; readonly made: number; readonly key: string };

const log = createLog({ level: 'silent' });

/** The schema as it is where nothing was there before. */
async function freshCatalog(): Promise<string[]> {
  const dataDir = await scratchDirectory();
  await seedDataDir(dataDir);
  const database = await openDatabase({ kind: 'embedded', dataDir });
  const catalog = await catalogOf(database.db);
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
  return catalog;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

assert.ok(KEPT.length >= 1, 'the data directories are there');

const fresh = once(freshCatalog);

/** The first, the last, and some of those between. */
const chosen = KEPT.filter((_, at) => THOROUGH || at % 8 === 0 || at === KEPT.length - 1);

for (const file of chosen) {
  test(`A data directory made by an earlier version (${file.replace('.zst', '')}) opens: its key, secrets and links work, and its syncs go on without losing or doubling a row`, async (t) => {
    const dataDir = await scratchDirectory();
    t.after(() => rm(dataDir, { recursive: true, force: true }));
    await unpackDirectory(await readFile(join(EARLIER, file)), dataDir);
    const bankFile = join(dataDir, 'bank.json');
    await writeFile(bankFile, JSON.stringify(earlierBank(true)));
    const kept: Kept = JSON.parse(await readFile(join(dataDir, 'kept.json'), 'utf8'));
    const receiver = await EarlierReceiver.start();
    t.after(() => receiver.close());
    const clock = new ShiftedClock(kept.made + HOUR_MS - Date.now());
    const run = async (roles: string): Promise<Running> =>
      serve(
        readConfig({
          DATA_DIR: dataDir,
          PORT: String(await freePort('127.0.0.1')),
          METRICS_PORT: '0',
          ROLES: roles,
          OUTBOUND_ALLOW: '127.0.0.0/8',
          LOG_LEVEL: 'silent',
          SANDBOX_DATA: bankFile,
          ...LIMITS_ASIDE,
        }),
        { log, clock },
      );

    // First without a worker, so that what waits goes to a receiver that is there.
    const first = await run('api');
    const aimed = new Tributary({ url: first.url, apiKey: kept.key });
    try {
      for (const [destination, path] of [
        [kept.doneDestination, 'done'],
        [kept.openDestination, 'open'],
      ] as const) {
        const url = `${receiver.url}/${path}`;
        await aimed.destinations.update({ id: destination, target: { url } });
      }
      assert.deepEqual(await pendingMigrations(first.app.database.db), []);
      assert.deepEqual(await catalogOf(first.app.database.db), await fresh());
    } finally {
      await first.close();
    }

    const { url, app, close } = await run('api,worker,scheduler');
    const v2 = new Tributary({ url: url, apiKey: kept.key });
    try {
      await worksAsBefore(v2, kept, url);
      const keyring = await loadKeyring({ encryptionKey: undefined, dataDir });
      const sealed = await countSealed(app.database.db, keyring);
      assert.ok(sealed.sealed >= 5 && sealed.unreadable === 0, JSON.stringify(sealed));
      for (const sync of [kept.openSync, kept.doneSync]) await runUntilDone(v2, sync);
      nothingLostOrDoubled(kept.events, receiver.events, 'done');
      nothingLostOrDoubled(kept.events, receiver.events, 'open');
      resentAsSent(kept.events, receiver.events);
    } finally {
      await close();
    }
  });
}

async function worksAsBefore(v2: Tributary, kept: Kept, url: string): Promise<void> {
  const session = await v2.linkSessions.get({ id: kept.linkSession });
  assert.equal(new URL(session.url).pathname, kept.linkPath, 'a link given out goes on working');
  assert.equal((await fetch(new URL(kept.linkPath, url))).status, 200);
  const again = await linkCustomer(
    v2,
    { provider: 'au_banking', bank: EARLIER_BANK, customer: 'second' },
    await banksByName(v2, 'au_banking'),
    'http://127.0.0.1:9/linked',
    AbortSignal.timeout(WAIT_MS),
  );
  assert.deepEqual(again, [kept.releasedAccount], 'an account that is linked again is the same account');
  const { key, body, id } = kept.repeatable;
  const answer = await v2.destinations.create(body, { idempotencyKey: key });
  assert.equal(answer.id, id, 'what was done under an idempotency key is not done again');
  assert.equal((await v2.rulesets.get({ id: kept.ruleset })).rule_count, 1);
}

/** Runs the sync until a run of ours succeeds; one that the crash left over ends first. */
async function runUntilDone(v2: Tributary, sync: string): Promise<void> {
  const ended = () =>
    until(
      () => v2.syncs.get({ id: sync, include: ['latest_run'] }),
      ({ status }) => status !== 'running',
      WAIT_MS,
      AbortSignal.timeout(WAIT_MS),
    );
  await ended();
  await v2.syncs.run({ id: sync });
  assert.equal((await ended()).latest_run?.status, 'succeeded');
}

/** An event that an earlier version began comes again with the ids it had. */
function resentAsSent(before: readonly ReceivedEvent[], since: readonly ReceivedEvent[]): void {
  const known = new Map(before.map((event) => [event.id, event]));
  const repeated = since.filter(({ id }) => known.has(id));
  assert.ok(repeated.length > 0, 'a chunk was unconfirmed');
  for (const event of repeated) {
    const first = known.get(event.id);
    // The bank has taken a row back since then.
    const ids = new Set(first?.sent);
    assert.ok(event.sent.length > 0);
    assert.deepEqual(
      event.sent.filter((id) => !ids.has(id)),
      [],
    );
  }
}

function nothingLostOrDoubled(
  before: readonly ReceivedEvent[],
  since: readonly ReceivedEvent[],
  path: string,
): void {
  const events = new Map<string, ReceivedEvent>();
  for (const event of [...before, ...since]) {
    if (event.path === `/${path}` && !events.has(event.id)) events.set(event.id, event);
  }
  const added = [...events.values()].flatMap((event) => event.new);
  assert.equal(added.length, new Set(added).size, `${path}: no row came as new twice`);
  const rows = new Set([...added, ...[...events.values()].flatMap((event) => event.updated)]);
  for (const event of events.values()) for (const id of event.removed) rows.delete(id);
  const everyday = EARLIER_ROWS + 3;
  assert.ok(
    since.some((event) => event.path === `/${path}` && event.new.length >= 3),
    `${path}: the sync went on`,
  );
  assert.ok(rows.size >= everyday + 1 + 40 && rows.size <= everyday + 2 + 40, `${path}: ${rows.size} rows`);
}

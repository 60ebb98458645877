import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { Tributary } from '#client';
import { systemClock } from '../src/platform/clock.ts';
import { freePort } from '../src/platform/free-port.ts';
import { packDirectory } from './lib/data-archive.ts';
import { earlierBank } from './lib/earlier-bank.ts';
import { fillService } from './lib/earlier-content.ts';
import { EarlierReceiver } from './lib/earlier-receiver.ts';
import { migrationSums } from './lib/migration-sums.ts';

/**
 * Stores a data directory of a schema for test/storage/earlier-schemas.test.ts: runs the service of a checkout (this one
 * when none is named), fills it with a little of everything, kills it in the middle of a delivery, and packs what is
 * on the disk. Usage: node scripts/store-schema.ts [<name, by default that of the newest migration> [<checkout>]]
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHILD = fileURLToPath(new URL('lib/earlier-service.ts', import.meta.url));
const STORED = join(ROOT, 'test/storage/earlier');

const newest = [...(await migrationSums()).keys()].at(-1) ?? '';
const [, , name = newest, given = ROOT] = process.argv;
const checkout = resolve(given);
const workspace = await mkdtemp(join(tmpdir(), 'tributary-keep-'));
const dataDir = join(workspace, 'data');
const bankFile = join(workspace, 'bank.json');
await mkdir(dataDir, { mode: 0o700 });
await writeFile(bankFile, JSON.stringify(earlierBank(false)));
const port = await freePort('127.0.0.1');
const receiver = await EarlierReceiver.start();
const child = spawn(process.execPath, [CHILD, checkout, bankFile], {
  cwd: checkout,
  env: {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(port),
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const gone = once(child, 'exit');
try {
  const [secret] = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    gone.then(() => {
      throw new Error('The service ended before it was ready.');
    }),
  ]);
  const key = String(secret).trim();
  const v2 = new Tributary({ url: `http://127.0.0.1:${port}`, apiKey: key });
  const content = await fillService(v2, receiver, async () => {
    child.kill('SIGKILL');
    await gone;
  });
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
  const kept = { commit, made: systemClock.now(), key, ...content };
  await compact(join(dataDir, 'database'));
  await writeFile(join(dataDir, 'kept.json'), JSON.stringify(kept));
  const packed = await packDirectory(dataDir, leftOut);
  await mkdir(STORED, { recursive: true });
  await writeFile(join(STORED, `${name}.zst`), packed);
  process.stdout.write(`test/storage/earlier/${name}.zst: ${(packed.length / 1e6).toFixed(2)} MB\n`);
} finally {
  child.kill('SIGKILL');
  await receiver.close();
  await rm(workspace, { recursive: true, force: true });
}
process.exit(0);

/** Replays and ends the log, so that only the last checkpoint has to be stored. */
async function compact(database: string): Promise<void> {
  const pglite = await PGlite.create(database);
  for (const statement of ['checkpoint', 'select pg_switch_wal()', 'checkpoint'])
    await pglite.exec(statement);
  const { rows } = await pglite.query<{ file: string }>(
    'select pg_walfile_name(pg_current_wal_lsn()) as file',
  );
  await pglite.close();
  const log = join(database, 'pg_wal');
  for (const file of await readdir(log)) {
    if (/^[0-9A-F]{24}$/.test(file) && file !== rows[0]?.file) await rm(join(log, file));
  }
}

/** What belongs to a process and not to the data. */
function leftOut(path: string): boolean {
  return ['lock', 'control.sock', 'database/postmaster.pid'].includes(path);
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type pg from 'pg';
import { doctorTools } from '../../../src/app/command-line.ts';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { identifierIn } from '../../../src/features/operator/backups.ts';
import { CHECKS, type CheckName, checkRow } from '../../../src/features/operator/check-table.ts';
import { checkVersion } from '../../../src/features/operator/database-checks.ts';
import type { Finding } from '../../../src/features/operator/finding.ts';
import { type Machine, thisMachine } from '../../../src/features/operator/machine-checks.ts';
import { SimulatedClock, systemClock } from '../../../src/platform/clock.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import { type Db, openDatabase } from '../../../src/storage/database.ts';
import { findingsOf } from '../../../src/surfaces/cli/doctor.ts';
import { section, tableRows } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';
import { createServerDatabase } from '../../support/database.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { openTraceCollector } from '../../support/trace-collector.ts';
import { administered, inspected, newKey, underOlderKey } from './planted.ts';

type Env = Readonly<Record<string, string>>;

/** What doctor finds on a machine with these settings and nothing running. */
async function diagnosed(env: Env, machine: Partial<Machine> = {}): Promise<Finding[]> {
  const settings = { PORT: String(await freePort('127.0.0.1')), METRICS_PORT: '0', ...env };
  return findingsOf({
    ...doctorTools(settings),
    machine: { ...thisMachine(() => systemClock.now()), ...machine },
  });
}

/** The same with a data directory in which nothing was started yet. */
const found = async (env: Env, machine: Partial<Machine> = {}): Promise<Finding[]> =>
  diagnosed({ DATA_DIR: await scratchDirectory(), ...env }, machine);

/** With a Postgres database of its own that is changed first; null without a server. */
const onPostgres =
  (change: (admin: pg.Client, name: string) => Promise<unknown>) =>
  async (t: TestContext): Promise<readonly Finding[] | null> => {
    const server = await createServerDatabase();
    if (server === null) return null;
    t.after(() => server.drop());
    await administered(server, (admin) => change(admin, new URL(server.url).pathname.slice(1)));
    return found({ DATABASE_URL: server.url });
  };

const LATE = sql`now() - interval '1 hour'`;
const MAIL = { SMTP_FROM: 'tributary@example.test' };
const PUBLIC = { PUBLIC_URL: 'https://tributary.example.test', TRUST_PROXY: '1' };
const BACKUPS = { BACKUP_PASSPHRASE: 'correct horse battery staple' };

const tracesTo = (url: string): Env => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER: 'always_on',
});

/** A port at which another program listens. */
async function takenPort(t: TestContext): Promise<string> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return String(address.port);
}

/** A data directory with a database, and backups beside it. */
async function withBackups(): Promise<{ readonly env: Env; readonly folder: string }> {
  const [dataDir, folder] = [await scratchDirectory(), await scratchDirectory()];
  await mkdir(join(dataDir, 'database/global'), { recursive: true });
  await writeFile(join(dataDir, 'database/global/pg_control'), Buffer.alloc(8, 1));
  const env = { DATA_DIR: dataDir, BACKUP_FOLDER: folder, ENCRYPTION_KEY: newKey('main'), ...BACKUPS };
  return { env, folder };
}

interface Planted {
  readonly outcome: 'warn' | 'fail';
  /** Part of what is found. */
  readonly says: RegExp;
  /** The findings, or null if this machine lacks what it takes. */
  readonly plant: (t: TestContext) => Promise<readonly Finding[] | null>;
}

const warns = (says: RegExp, plant: Planted['plant']): Planted => ({ outcome: 'warn', says, plant });
const fails = (says: RegExp, plant: Planted['plant']): Planted => ({ outcome: 'fail', says, plant });

/** One mistake for each check, made as an operator would make it. */
const PLANTED: Readonly<Record<Exclude<CheckName, 'destination'>, Planted>> = {
  configuration: fails(/FISKIL_CLIENT_SECRET must be set/, () => found({ FISKIL_CLIENT_ID: 'id' })),
  variables: warns(/^PUBLIC_ULR is not read; PUBLIC_URL is$/, () => found({ PUBLIC_ULR: 'https://x.test' })),
  roles: fails(/no process does the work of worker and scheduler/, () => found({ ROLES: 'api' })),
  sandbox: warns(/beside the real credentials of up_bank/, () =>
    found({ SANDBOX: 'on', UP_TOKEN: 'up:yeah:planted' }),
  ),
  'log level': warns(/LOG_LEVEL=debug/, () => found({ SANDBOX: 'off', LOG_LEVEL: 'debug' })),
  clock: fails(/before this software was made/, () => found({}, { now: () => Date.UTC(2000, 0, 1) })),
  'time zone': warns(/TZ is not the name/, () => found({ TZ: 'Europe/Atlantis' })),
  memory: warns(/^256 MiB/, () => found({}, { memory: () => 256 * 2 ** 20 })),
  'open files': warns(/at most 256/, () => found({}, { openFiles: async () => 256 })),
  'data directory': warns(/mode 0755/, async () => {
    const dataDir = await scratchDirectory();
    await chmod(dataDir, 0o755);
    return found({ DATA_DIR: dataDir });
  }),
  'file system': warns(/is on NFS/, () =>
    found({}, { disk: async () => ({ free: 1e12, size: 1e12, type: 0x6969 }) }),
  ),
  'disk space': warns(/^500 MB of 20000 MB are free/, () =>
    found({}, { disk: async () => ({ free: 5e8, size: 2e10, type: 0 }) }),
  ),
  'encryption key': fails(/mode 0644/, async () => {
    const dataDir = await scratchDirectory();
    await writeFile(join(dataDir, 'encryption.key'), newKey('main'), { mode: 0o644 });
    return found({ DATA_DIR: dataDir });
  }),
  database: fails(/cannot be used: .*ECONNREFUSED/, async () =>
    found({ DATABASE_URL: `postgres://planted:secret@127.0.0.1:${await freePort('127.0.0.1')}/x` }),
  ),
  'database version': fails(/Postgres 13 is older than 15/, async () => checkVersion(130_011)),
  'database encoding': fails(/the encoding is SQL_ASCII/, async (t) => {
    const server = await createServerDatabase();
    if (server === null) return null;
    const name = `tributary_test_${randomBytes(6).toString('hex')}`;
    await administered(server, (admin) =>
      admin.query(`create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`),
    );
    t.after(async () => {
      await administered(server, (admin) => admin.query(`drop database ${name} with (force)`));
      await server.drop();
    });
    return found({ DATABASE_URL: server.url.replace(/[^/]+$/, name) });
  }),
  'database durability': warns(
    /^synchronous_commit is off$/,
    onPostgres((admin, name) => admin.query(`alter database ${name} set synchronous_commit = off`)),
  ),
  'database role': warns(
    /is a superuser/,
    onPostgres(async () => undefined),
  ),
  'database connections': warns(
    /^5 are allowed, and 13 are used/,
    onPostgres((admin, name) => admin.query(`alter database ${name} connection limit 5`)),
  ),
  'connection pooler': fails(/share one of the server/, pooled),
  'unencrypted stores': warns(/^DATABASE_URL reaches a server on the internet/, () =>
    found({ DATABASE_URL: 'postgres://planted:secret@db.example.invalid/x' }),
  ),
  migrations: fails(
    /^pending: \d+, the first being 0101/,
    onPostgres((admin) => admin.query('drop schema public cascade; create schema public')),
  ),
  storage: fails(
    /database is missing 01/,
    inspected({}, async ({ app: { database } }) => {
      await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(
        database.db,
      );
      return undefined;
    }),
  ),
  'sealed secrets': fails(
    /^1 of \d+ cannot be opened/,
    inspected({}, async ({ app: { database } }) => {
      const sealed = sql`sealed = set_byte(sealed, length(sealed) - 1, 255 - get_byte(sealed, length(sealed) - 1))`;
      await sql`update key_checks set ${sealed}`.execute(database.db);
      return undefined;
    }),
  ),
  'older encryption key': warns(/values are still sealed under key "old"/, async () => {
    const { env } = await underOlderKey();
    return diagnosed(env);
  }),
  'database clock': warns(
    /^\d+ s away/,
    inspected({}, async () => ({ clock: new SimulatedClock(Date.now() + 60_000) })),
  ),
  workers: warns(
    /no process takes sync runs/,
    inspected({ ROLES: 'api' }, async () => undefined),
  ),
  'waiting work': warns(
    /^1 runs and jobs have been waiting/,
    inspected({ ROLES: 'api' }, async ({ app: { database } }) => {
      await sql`
        insert into jobs (id, queue, account_record, payload, due_at)
        values (gen_random_uuid(), 'revoke-consents', gen_random_uuid(), '{}', ${LATE})`.execute(database.db);
      return undefined;
    }),
  ),
  schedule: warns(
    /^1 syncs have been due/,
    inspected({ ROLES: 'api' }, async ({ app: { database } }) => {
      await database.db.transaction().execute(async (trx) => {
        // Without the account record and the destination that it would need.
        await sql`set local session_replication_role = replica`.execute(trx);
        await sql`
          insert into syncs (id, account_record, destination, name, type, enabled, mapping_mode, account_mappings,
            category_mappings, options, next_run_at, created, updated)
          values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'late', 'transactions', true, 'all', '[]',
            '[]', '{}', ${LATE}, now(), now())`.execute(trx);
      });
      return undefined;
    }),
  ),
  'personal account': fails(
    /which is not an account record/,
    inspected({ PERSONAL_ACCOUNT: 'acc_0000000000000000000001' }, async () => undefined),
  ),
  providers: fails(
    /none can be linked/,
    inspected(
      { SANDBOX: 'off' },
      async () => undefined,
      INTEGRATIONS.filter(({ row }) => row.name !== 'simplefin'),
    ),
  ),
  provider: fails(
    /\(gateway_unavailable\)|\(.*unavailable\)/,
    inspected(
      {
        FISKIL_BASE_URL: 'http://127.0.0.1:1',
        FISKIL_CLIENT_ID: 'planted',
        FISKIL_CLIENT_SECRET: 'planted',
      },
      async () => undefined,
    ),
  ),
  'local folder': fails(/^CSV_FOLDER_ROOT: \/.*\/missing does not exist for the service$/, async (t) =>
    inspected({ CSV_FOLDER_ROOT: join(await scratchDirectory(), 'missing') }, async () => undefined)(t),
  ),
  backups: fails(/the last one is \d+ hours old, and one is due every 24 hours/, async () => {
    const { env, folder } = await withBackups();
    await writeFile(join(folder, `tributary-${'01'.repeat(8)}-20261001T120000Z.tar.gz.age`), '');
    return found(env);
  }),
  'backup folder': fails(/is not writable/, async () => {
    const file = join(await scratchDirectory(), 'file');
    await writeFile(file, '', { mode: 0o600 });
    return found({ BACKUP_FOLDER: join(file, 'backups'), ...BACKUPS });
  }),
  'backup secrets': fails(/note.txt contains the passphrase$/, async () => {
    const { env, folder } = await withBackups();
    await writeFile(join(folder, 'note.txt'), `The passphrase is: ${BACKUPS.BACKUP_PASSPHRASE}\n`);
    return found(env);
  }),
  port: fails(/is in use by another program/, async (t) => found({ PORT: await takenPort(t) })),
  'metrics port': fails(/is in use by another program/, async (t) =>
    found({ METRICS_PORT: await takenPort(t) }),
  ),
  proxy: warns(/TRUST_PROXY is not set/, () => found({ PUBLIC_URL: PUBLIC.PUBLIC_URL })),
  'plain http': warns(/^PUBLIC_URL is http:\/\/tributary.example.test/, () =>
    found({ PUBLIC_URL: 'http://tributary.example.test', APP_URL: 'https://app.example.test' }),
  ),
  'listening address': warns(/but PORT is/, () => found({ PUBLIC_URL: 'http://localhost:1' })),
  'public address': warns(/cannot be reached from here/, () => found({})),
  metrics: warns(/without a password/, () => found({ METRICS_HOST: '0.0.0.0' })),
  traces: fails(/^http:\/\/127\.0\.0\.1:\d+ answers 401 to an empty list of spans$/, async (t) => {
    const { url } = await openTraceCollector(t, (response) => void response.writeHead(401).end());
    return found(tracesTo(url));
  }),
  redis: warns(/without DATABASE_URL/, () => found({ REDIS_URL: 'redis://127.0.0.1:1' })),
  rates: warns(/allow more requests a minute/, () => found({ LIMIT_RATE_CHEAP: '601' })),
  'raised limits': warns(/^LIMIT_SIGN_IN_ATTEMPTS is 1000 instead of 10$/, () =>
    found({ LIMIT_SIGN_IN_ATTEMPTS: '1000' }),
  ),
  'outgoing addresses': warns(/reach 0.0.0.0\/0, 169.254.169.254\/32$/, () =>
    found({ OUTBOUND_ALLOW: '0.0.0.0/0,192.168.1.0/24,169.254.169.254/32' }),
  ),
  mail: fails(/does not accept mail/, async () =>
    found({ SMTP_URL: `smtp://127.0.0.1:${await freePort('127.0.0.1')}`, ...MAIL }),
  ),
};

/** Through PgBouncer, which lends a connection for each transaction; null if it is not installed. */
async function pooled(t: TestContext): Promise<readonly Finding[] | null> {
  const { startPgBouncer } = await import('../../support/pgbouncer.ts');
  const url = await startPgBouncer(t, 'transaction');
  return url === null ? null : found({ DATABASE_URL: url });
}

for (const [check, { outcome, says, plant }] of Object.entries(PLANTED)) {
  test(`doctor finds a planted mistake and says what to do: ${check}`, async (t) => {
    const findings = await plant(t);
    if (findings === null) return t.skip('needs a Postgres server');
    const finding = findings.find((one) => {
      const isOne = one.check === check || one.check.startsWith(`${check} `);
      return isOne && one.outcome === outcome && says.test(one.found);
    });
    assert.ok(finding, JSON.stringify(findings.filter(({ outcome: of }) => of !== 'ok')));
    assert.ok((finding.advice ?? '').length > 10);
    assert.doesNotMatch(JSON.stringify(findings), /secret@|up:yeah|correct horse/);
  });
}

test('doctor finds none of these mistakes in an installation without them', async () => {
  const { env, folder } = await withBackups();
  const database = join(env.DATA_DIR ?? '', 'database');
  await seedDataDir(env.DATA_DIR ?? '');
  const id = await identifierIn(env.DATA_DIR ?? '');
  const latest = stamp(systemClock.now() - 3_600_000);
  await writeFile(join(folder, `tributary-${id}-${latest}.tar.gz.age`), '');
  await utimes(join(database, 'PG_VERSION'), 0, 0);
  const roomy = { disk: async () => ({ free: 1e12, size: 1e12, type: 0 }), memory: () => 2 ** 34 };
  const findings = await diagnosed(env, roomy);
  assert.deepEqual(
    findings.filter(({ outcome, check }) => outcome !== 'ok' && check !== 'public address'),
    [],
  );
});

test('doctor finds an older schema of the embedded database and leaves it as it is', async () => {
  const dataDir = await scratchDirectory();
  await seedDataDir(dataDir);
  const opened = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const database = await openDatabase({ kind: 'embedded', dataDir });
    try {
      return await work(database.db);
    } finally {
      await database.close();
    }
  };
  const newest = sql<{ name: string | null }>`select max(name) as name from kysely_migration`;
  const removed = await opened(async (db) => {
    const { rows } = await sql<{ name: string }>`
      delete from kysely_migration where name = (select max(name) from kysely_migration) returning name`.execute(
      db,
    );
    return rows[0]?.name ?? assert.fail('there is no migration');
  });
  const findings = await diagnosed({ DATA_DIR: dataDir });
  const finding = findings.find(({ check }) => check === 'migrations');
  assert.equal(finding?.outcome, 'fail');
  assert.equal(finding.found, `pending: 1, the first being ${removed}`);
  assert.ok((await opened(async (db) => (await newest.execute(db)).rows[0]?.name ?? '')) < removed);
});

test('doctor says whether the collector of traces can be reached, and sends it no span', async (t) => {
  const { url, requests, spans } = await openTraceCollector(t);
  const of = async (env: Env) => (await found(env)).find(({ check }) => check === 'traces');
  assert.equal((await of({ ...tracesTo(url), OTEL_EXPORTER_OTLP_HEADERS: 'x-token=abc' }))?.outcome, 'ok');
  assert.deepEqual([requests.length, requests[0]?.headers['x-token'], spans.length], [1, 'abc', 0]);
  const closed = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
  assert.match((await of(tracesTo(closed)))?.found ?? '', /cannot be reached/);
  assert.equal(await of({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER: 'always_off' }), undefined);
});

test('advice about a provider leads to the page of its vendor’s console', async (t) => {
  const findings = (await PLANTED.provider.plant(t)) ?? assert.fail();
  const advice = findings.find(({ check }) => check === 'provider au_banking')?.advice;
  assert.equal(
    advice,
    'Check the credentials and that this machine can reach the vendor: docs/consoles/fiskil.md.',
  );
});

test('doctor accepts a Postgres database with a role of its own', async (t) => {
  const server = await createServerDatabase();
  if (server === null) return t.skip('needs a Postgres server');
  t.after(() => server.drop());
  const role = `tributary_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server.url);
  const name = url.pathname.slice(1);
  await administered(server, async (admin) => {
    await admin.query(`create role ${role} login password 'planted'`);
    await admin.query(`alter database ${name} reset synchronous_commit`);
    await admin.query(`grant all on all tables in schema public to ${role}`);
    await admin.query(`grant usage on schema public to ${role}`);
  });
  t.after(() =>
    administered({ ...server, url: process.env.DATABASE_URL ?? '' }, (admin) =>
      admin.query(`drop role if exists ${role}`),
    ),
  );
  url.username = role;
  url.password = 'planted';
  const findings = await found({ DATABASE_URL: url.href });
  const ofServer = findings.filter(({ check }) => /^(?:database|connection|migrations)/.test(check));
  assert.deepEqual(
    ofServer.filter(({ outcome }) => outcome !== 'ok'),
    [],
  );
});

test('doctor says that a backup is missing once the database is older than two intervals, and not before', async () => {
  const { env } = await withBackups();
  const version = join(env.DATA_DIR ?? '', 'database', 'PG_VERSION');
  await writeFile(version, '15');
  const of = async () => (await found(env)).find(({ check }) => check === 'backups');
  assert.deepEqual((await of())?.outcome, 'ok');
  await utimes(version, 0, 0);
  assert.match((await of())?.found ?? '', /^there is none in .*, and the database is \d+ hours old$/);
});

test('the checks of docs/operator.md are those of the table, in both directions', () => {
  const page = readText('docs/operator.md');
  const lines = section(page, 'Checks')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const names = Object.keys(CHECKS).filter((name): name is CheckName => Object.hasOwn(CHECKS, name));
  assert.deepEqual(lines.slice(1), names.map(checkRow));
  assert.equal(tableRows(page, 'Checks').length, names.length);
  assert.ok(Object.keys(PLANTED).length >= 25);
});

function stamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

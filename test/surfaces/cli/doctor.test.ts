import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { doctorTools } from '../../../src/app/command-line.ts';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import type { Finding } from '../../../src/features/operator/finding.ts';
import { thisMachine } from '../../../src/features/operator/machine-checks.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { freePort } from '../../../src/platform/free-port.ts';
import { inspect } from '../../../src/surfaces/cli/commands/installation.ts';
import { findingsOf } from '../../../src/surfaces/cli/doctor.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { seedDataDir } from '../../support/schema-template.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService } from '../../support/service.ts';
import { inspected, newKey } from './planted.ts';

/** What doctor finds on a machine where nothing was started yet, with these settings. */
async function found(env: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, Finding>> {
  const settings = {
    DATA_DIR: await scratchDirectory(),
    PORT: String(await freePort('127.0.0.1')),
    METRICS_PORT: '0',
    ...env,
  };
  const findings = await findingsOf(doctorTools(settings));
  return new Map(findings.map((finding) => [finding.check, finding]));
}

async function listening(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return (address satisfies AddressInfo).port;
}

const resultOf = (finding: Finding | undefined) => [finding?.outcome, finding?.found];

test('doctor fails over a mail server that does not answer or refuses the sign-in, and passes over one that takes mail', async (t) => {
  const from = { SMTP_FROM: 'tributary@example.test' };
  const dead = await found({ SMTP_URL: `smtp://127.0.0.1:${await freePort('127.0.0.1')}`, ...from });
  assert.equal(dead.get('mail')?.outcome, 'fail');
  assert.match(dead.get('mail')?.found ?? '', /does not accept mail: .*ECONNREFUSED/);
  const server = await openMailServer(t);
  const alive = await found({ SMTP_URL: server.url, ...from });
  assert.equal(alive.get('mail')?.outcome, 'ok');
  assert.equal((await found({})).get('mail'), undefined);
});

test('doctor fails over a port of another program, and passes over one that is free or this service’s', async (t) => {
  const taken = await listening(
    t,
    createServer((socket) => socket.end('220 not HTTP\r\n', () => socket.destroy())),
  );
  const { found: text, outcome } = (await found({ PORT: String(taken) })).get('port') ?? assert.fail();
  assert.deepEqual([outcome, text], ['fail', `127.0.0.1:${taken} is in use by another program`]);
  const other = await listening(
    t,
    createHttpServer((_request, response) => response.end('a web site')),
  );
  assert.equal((await found({ PORT: String(other) })).get('port')?.outcome, 'fail');
  assert.equal((await found({})).get('port')?.outcome, 'ok');
  const service = await startService();
  t.after(() => service.close());
  const own = await found({ PORT: new URL(service.url).port });
  assert.match(own.get('port')?.found ?? '', /is in use by this service, which is running/);
});

test('doctor passes over the port of metrics only if it is free or this service’s: no other process starts with it', async (t) => {
  const service = await startService({ METRICS_PORT: '0' });
  t.after(() => service.close());
  const PORT = new URL(service.url).port;
  const METRICS_PORT = new URL(service.metricsUrl ?? assert.fail()).port;
  const of = async (env: Readonly<Record<string, string>>) =>
    resultOf((await found(env)).get('metrics port'));
  assert.deepEqual(await of({ PORT, METRICS_PORT }), [
    'ok',
    `127.0.0.1:${METRICS_PORT} is in use by this service, which is running`,
  ]);
  assert.deepEqual(await of({ METRICS_PORT }), [
    'fail',
    `127.0.0.1:${METRICS_PORT} is in use by a service of Tributary with another PORT`,
  ]);
  const taken = await listening(
    t,
    createHttpServer((_request, response) => response.end('# HELP other_total')),
  );
  assert.equal(
    (await of({ PORT, METRICS_PORT: String(taken) }))[0],
    'fail',
    'the service was set up otherwise',
  );
  const shared = String(await freePort('127.0.0.1'));
  assert.deepEqual(await of({ PORT: shared, METRICS_PORT: shared }), [
    'fail',
    `127.0.0.1:${shared} is the port of PORT as well`,
  ]);
  assert.match(
    (await of({ METRICS_HOST: '192.0.2.1' }))[1] ?? '',
    /cannot be listened on \(EADDRNOTAVAIL\)$/,
  );
  assert.deepEqual(await of({ METRICS_PORT: 'off' }), [undefined, undefined]);
});

test('doctor shows every other check where the lock of the data directory or its key file cannot be opened', async () => {
  for (const [name, check] of [
    ['lock', 'data directory'],
    ['encryption.key', 'encryption key'],
  ] as const) {
    const dataDir = await scratchDirectory();
    await seedDataDir(dataDir);
    if (name === 'lock') await writeFile(join(dataDir, 'encryption.key'), newKey('main'), { mode: 0o600 });
    // What opening it says is another reason than that it is root's, which these tests may run as.
    await mkdir(join(dataDir, name), { mode: 0o700 });
    const findings = await found({ DATA_DIR: dataDir });
    const finding = findings.get(check);
    assert.equal(finding?.outcome, 'fail');
    assert.match(finding.found, new RegExp(`/${name} cannot be (opened|read): `));
    assert.match(finding.advice ?? '', /chown -R <user> \//);
    assert.equal(findings.get('storage')?.found, 'not looked at');
    assert.deepEqual([...findings.keys()].slice(-1), ['public address']);
  }
});

test('doctor shows what the other checks find where one of them cannot look', async (t) => {
  const machine = {
    ...thisMachine(() => 0),
    memory: (): number => {
      throw new Error('the kernel does not say');
    },
    disk: () => Promise.reject(new Error('EIO: i/o error, statfs')),
  };
  const env = { DATA_DIR: await scratchDirectory(), PORT: '0' };
  const findings = await findingsOf({ ...doctorTools(env), machine });
  const of = (name: string) => findings.find(({ check }) => check === name);
  for (const name of ['memory', 'file system', 'disk space']) {
    assert.match(of(name)?.found ?? '', /^cannot be checked: (the kernel|EIO)/);
    assert.ok((of(name)?.advice ?? '').length > 10);
  }
  assert.equal(of('clock')?.outcome, 'fail');
  assert.ok(of('public address'));
  const inside = await inspected({}, async () => ({
    encryption: { use: () => Promise.reject(new Error('no keys')) },
  }))(t);
  const failed = inside.filter(({ outcome }) => outcome === 'fail');
  assert.deepEqual(
    failed.map(({ check, found: text }) => [check, text]),
    [['older encryption key', 'cannot be checked: no keys']],
  );
  assert.ok(inside.some(({ check }) => check.startsWith('provider ')));
});

test('doctor fails over a data directory that cannot be made', async () => {
  const file = join(await scratchDirectory(), 'file');
  await writeFile(file, '');
  for (const path of [file, join(file, 'below')]) {
    const [outcome, text] = resultOf((await found({ DATA_DIR: path })).get('data directory'));
    assert.equal(outcome, 'fail');
    assert.match(text ?? '', /cannot be created: .* is a file/);
  }
});

test('doctor warns of https without TRUST_PROXY, of figures open to the network and of Redis beside the embedded database', async () => {
  const careless = await found({
    PUBLIC_URL: 'https://tributary.example.test',
    METRICS_HOST: '0.0.0.0',
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  for (const check of ['proxy', 'metrics', 'redis'])
    assert.equal(careless.get(check)?.outcome, 'warn', check);
  const careful = await found({ PUBLIC_URL: 'https://tributary.example.test', TRUST_PROXY: '1' });
  for (const check of ['proxy', 'metrics', 'redis']) assert.equal(careful.get(check), undefined, check);
});

test('doctor fails where nothing can be linked, warns where no worker runs, and says of a destination that nothing has to be set', async (t) => {
  const read = async (env: Readonly<Record<string, string>>, integrations = INTEGRATIONS) => {
    const service = await startService(env, { integrations });
    t.after(() => service.close());
    const context = { app: service.app, url: service.url, signal: AbortSignal.timeout(60_000) };
    const { findings } = inspect.parse(await inspect.run(context, {}));
    return new Map(findings.map((finding) => [finding.check, finding]));
  };
  const needing = INTEGRATIONS.filter(({ row }) => row.name !== 'simplefin');
  const empty = await read({ SANDBOX: 'off', ROLES: 'api' }, needing);
  assert.deepEqual(resultOf(empty.get('providers')), [
    'fail',
    'none can be linked: no credentials are set, and the sandbox is off',
  ]);
  assert.equal(empty.get('workers')?.outcome, 'warn');
  assert.match(empty.get('destination actual')?.found ?? '', /nothing is set, and nothing has to be/);
  const alone = await read({ SANDBOX: 'off' });
  assert.equal(alone.get('providers'), undefined);
  assert.deepEqual(resultOf(alone.get('provider simplefin')), [
    'ok',
    'set up at the vendor, where each person has credentials of their own',
  ]);
  const whole = await read({});
  assert.deepEqual([whole.get('providers'), whole.get('workers')?.outcome], [undefined, 'ok']);
});

test('doctor warns of rates that LIMIT_AUTH_ATTEMPTS keeps a key from reaching', async () => {
  const rates = (await found({ LIMIT_RATE_CHEAP: '601', LIMIT_RATE_MUTATING: '600' })).get('rates');
  assert.equal(rates?.outcome, 'warn');
  assert.match(rates?.found ?? '', /^LIMIT_RATE_CHEAP allow more .* LIMIT_AUTH_ATTEMPTS, which is 600/);
  const raised = await found({ LIMIT_RATE_CHEAP: '601', LIMIT_AUTH_ATTEMPTS: '601' });
  assert.equal(raised.get('rates'), undefined);
  const session = (await found({ LIMIT_RATE_SESSION_CHEAP: '3001' })).get('rates');
  assert.match(session?.found ?? '', /^LIMIT_RATE_SESSION_CHEAP allow more .* LIMIT_SESSION_REQUESTS/);
});

test('doctor knows each key of a list beside the backups, also without its id', async () => {
  const folder = await scratchDirectory();
  const [primary, older] = [newKey('main'), newKey('old')];
  await writeFile(join(folder, 'key.txt'), `${older.slice(older.indexOf(':') + 1)}\n`);
  const findings = await found({
    BACKUP_FOLDER: folder,
    BACKUP_PASSPHRASE: 'correct horse battery staple',
    ENCRYPTION_KEY: `${primary}, ${older}`,
  });
  const finding = findings.get('backup secrets');
  assert.deepEqual(
    [finding?.outcome, finding?.found],
    ['fail', `${join(folder, 'key.txt')} contains the encryption key`],
  );
});

test('doctor takes another program with a health page of its own neither for this service at its port nor at its address', async (t) => {
  const port = await listening(
    t,
    createHttpServer((_, answer) => answer.end('{"status":"ok","uptime":3}')),
  );
  const findings = await found({ PORT: String(port) });
  assert.equal(findings.get('port')?.found, `127.0.0.1:${port} is in use by another program`);
  assert.match(findings.get('public address')?.found ?? '', /answered 200, and is another program$/);
});

test('doctor does not blame the database for the clock of the sandbox, which was moved', async (t) => {
  const findings = await inspected({}, async () => ({ clock: new ShiftedClock(86_400_000) }))(t);
  assert.equal(findings?.find(({ check }) => check === 'database clock')?.outcome, 'ok');
});

test('doctor asks the running service whether it can write backups: its unit may leave it fewer folders than a shell', async (t) => {
  const file = join(await scratchDirectory(), 'file');
  await writeFile(file, '', { mode: 0o600 });
  const backups = { folder: join(file, 'backups'), passphrase: 'x'.repeat(12), everyHours: 24, keep: 7 };
  const findings = await inspected({}, async ({ app: { config } }) => ({
    config: { ...config, backups, databaseUrl: null },
  }))(t);
  const finding = findings.find(({ check }) => check === 'backup folder');
  assert.equal(finding?.outcome, 'fail');
  assert.match(
    `${finding.found}. ${finding.advice}`,
    /is not writable for the service\. Add the folder to ReadWritePaths/,
  );
});

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Tributary } from '#client';
import type { App } from '../../src/app/build.ts';
import { banksByName, linkCustomer, until } from '../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../src/app/demo/limits-aside.ts';
import { WebhookReceiver } from '../../src/app/demo/receiver.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { serve } from '../../src/app/serve.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { createLog } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/storage/database.ts';
import type { OwnerId } from '../../src/vocabulary/ids.ts';
import { SCOPES } from '../../src/vocabulary/scopes.ts';
import { ofxOf } from '../features/documents/statements.ts';
import { createServerDatabase } from '../support/database.ts';
import { openMailServer } from '../support/mail-server.ts';
import { addPerson } from '../support/people.ts';
import { type BrowserSubscription, SimulatedPushService } from '../support/push-service.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { sandboxSimplefin } from '../support/sandbox-simplefin.ts';
import { sandboxUp } from '../support/sandbox-up.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { openTraceCollector } from '../support/trace-collector.ts';
import { type V2Client, v2Client } from '../support/v2-client.ts';
import { madeDataDir } from '../surfaces/cli/temporary-directory.ts';
import { readAsAgent } from './canary-agent.ts';
import { type BridgeReads, readOverBridge } from './canary-bridge.ts';
import { dump, markedFiles, marksIn } from './mark-search.ts';
import { DIGIT_MARK, MARKED_BANK, markedBank, TEXT_MARK } from './marked-bank.ts';
import { v1Paths } from './v1-paths.ts';

test('No description, amount, merchant, reference or number of a bank is in files, tables, logs or traces after everything was read and synced', async (t) => {
  const dataDir = await madeDataDir(t);
  const server = await createServerDatabase();
  t.after(() => server?.drop());
  const receiver = await WebhookReceiver.start();
  t.after(() => receiver.close());
  const mail = await openMailServer(t);
  const push = await SimulatedPushService.open(t);
  const collector = await openTraceCollector(t);
  const beside = await scratchDirectory();
  t.after(() => rm(beside, { recursive: true, force: true }));
  const bankFile = join(beside, 'bank.json');
  await writeFile(bankFile, JSON.stringify(markedBank()));
  let logged = '';
  const log = createLog({
    level: 'debug',
    destination: {
      write: (line) => {
        logged += line;
      },
    },
  });
  const metricsPort = await freePort('127.0.0.1');
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: String(await freePort('127.0.0.1')),
    METRICS_PORT: String(metricsPort),
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'debug',
    SMTP_URL: mail.url,
    SMTP_FROM: 'hub@example.test',
    SANDBOX_DATA: bankFile,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...LIMITS_ASIDE,
    ...(server === null ? {} : { DATABASE_URL: server.url }),
  });
  const { app, url, close } = await serve(config, {
    log,
    clock: systemClock,
  });
  let answers = '';
  let measured = '';
  let dumped: Awaited<ReturnType<typeof dump>>;
  let bridge: BridgeReads;
  try {
    const record = await app.services.accountRecords.create({ email: 'canary@example.com' });
    const { secret } = await app.services.apiKeys.create(record.id, { name: 'Canary', scopes: SCOPES }, null);
    const v2 = new Tributary({ url, apiKey: secret });
    const ask = v2Client(url, secret, () => undefined);
    const signal = AbortSignal.timeout(60_000);
    const read = async (path: string): Promise<void> => {
      const answer = await ask('GET', path);
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
      answers += JSON.stringify(answer.body);
    };
    const customer = { provider: 'au_banking', bank: MARKED_BANK, customer: 'marked' } as const;
    const [account] = await linkCustomer(
      v2,
      customer,
      await banksByName(v2, 'au_banking'),
      `${receiver.url}/linked`,
      signal,
    );
    assert.ok(account);
    const window = `account=${account}&from=2024-01-01&to=2024-12-31&include_pending=true`;
    const [row] = (await ask('GET', `/v2/transactions?${window}`)).body.data;
    assert.ok(row);
    for (const path of [
      '/v2/me',
      '/v2/institutions',
      '/v2/connections?include[]=accounts',
      '/v2/consents',
      '/v2/accounts',
      `/v2/accounts/${account}`,
      `/v2/accounts/${account}/balance`,
      `/v2/accounts/${account}/details`,
      `/v2/transactions?${window}`,
      `/v2/transactions/${row.id}?${window.replace('&include_pending=true', '')}`,
      '/v2/provider_categories',
    ]) {
      await read(path);
    }
    const up = await linkMarkedUp(v2, app, `${receiver.url}/linked`, signal);
    const lately = `account=${up}&from=2024-01-01&to=2027-12-31`;
    for (const path of [`/v2/accounts/${up}/balance`, `/v2/transactions?${lately}&include_pending=true`]) {
      await read(path);
    }
    const simplefin = await linkMarkedSimplefin(v2, app, `${receiver.url}/linked`, signal);
    const recent = `account=${simplefin}&from=2024-01-01&to=2027-12-31`;
    for (const path of [
      `/v2/accounts/${simplefin}/balance`,
      `/v2/transactions?${recent}&include_pending=true`,
    ]) {
      await read(path);
    }
    answers += await readMarkedStatement(ask);
    bridge = await readOverBridge(v2, url);
    answers += await readAsAgent(ask, url, secret, { account, marks: [TEXT_MARK, DIGIT_MARK] });
    for (const path of await v1Paths(ask, '&from=2024-01-01&to=2024-12-31&includePending=true'))
      await read(path);
    // A request that is refused is logged too; what it asked for must not be.
    await ask('GET', `/v1/transactions?connectionId=${TEXT_MARK}&accountId=${DIGIT_MARK}`);
    await ask('GET', `/v2/transactions/${TEXT_MARK}?account=${account}`);
    await ask('GET', `/v2/transactions?account=${DIGIT_MARK}`);

    // What goes wrong is what gets logged: an answer that cannot be parsed, and one that is cut off.
    const transactions = `/v2/transactions?account=${account}&from=2024-02-01&to=2024-12-31`;
    for (const kind of ['malformed-json', 'truncated-body', 'row-without-id', 'foreign-row'] as const) {
      sandboxBank(app).addFault({ route: 'GET /v1/banking/transactions', kind, count: 5 });
      const failed = await ask('GET', transactions);
      // One bad row is set aside, and logged as well.
      const isWhole = !kind.includes('row');
      if (isWhole) assert.ok(failed.status >= 400, `${kind}: ${failed.status}`);
      sandboxBank(app).clearFaults();
      sandboxUp(app).addFault({ route: 'GET /api/v1/accounts/*/transactions', kind, count: 5 });
      const spoilt = await ask('GET', `/v2/transactions?${lately}`);
      if (isWhole) assert.ok(spoilt.status >= 400, `${kind}: ${spoilt.status}`);
      sandboxUp(app).clearFaults();
      sandboxSimplefin(app).addFault({ route: 'GET /simplefin/accounts', kind, count: 5 });
      const broken = await ask('GET', `/v2/transactions?${recent}`);
      if (isWhole) assert.ok(broken.status >= 400, `${kind}: ${broken.status}`);
      sandboxSimplefin(app).clearFaults();
    }

    const destination = await v2.destinations.create({
      type: 'webhook',
      name: 'Canary',
      target: { url: `${receiver.url}/deliveries?token=${TEXT_MARK}` },
    });
    receiver.expect(destination.config?.signing_secret ?? '');
    const sync = await v2.syncs.create({
      type: 'transactions',
      name: 'Canary',
      destination: destination.id,
      accounts: [account, up, simplefin],
      mapping_mode: 'bulk',
      options: { data_from: '2024-01-01', include_pending: true, mask_account_numbers: false },
    });
    const run = sync.latest_run?.id ?? '';
    const ended = await until(
      () => v2.syncRuns.get({ id: run }),
      ({ status }) => status !== 'queued' && status !== 'running',
      30_000,
      signal,
    );
    assert.equal(ended.status, 'succeeded');
    const browser = await notifyOfMarked(app, record.id, push);
    sandboxBank(app).appendTransactions('marked-1', [
      {
        description: `${TEXT_MARK} jeweller`,
        amount: `-${DIGIT_MARK}.30`,
        merchantName: `${TEXT_MARK} jeweller`,
      },
    ]);
    const next = await ask('POST', `/v2/syncs/${sync.id}/run`);
    const second = await until(
      () => v2.syncRuns.get({ id: next.body.id }),
      ({ status }) => status !== 'queued' && status !== 'running',
      30_000,
      signal,
    );
    assert.equal(second.status, 'succeeded');
    const told = await until(
      async () => [mail.mails.map(({ text }) => text).join(), JSON.stringify(push.shownTo(browser))],
      (texts) => texts.every((text) => text.includes('Large transaction')),
      30_000,
      signal,
    );
    for (const text of told)
      assert.ok(text.includes(`-${DIGIT_MARK}.30 AUD, ${TEXT_MARK} jeweller`), 'the details were sent');
    const events = await ask('GET', '/v2/events');
    assert.equal(events.status, 200);
    assert.equal(marksIn(Buffer.from(JSON.stringify(events.body))), 0, 'an event holds a mark');
    measured = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    // A target's token is shown to its owner, and is nowhere else; a receiver that is away makes the log name the target.
    await read('/v2/destinations');
    const away = await v2.destinations.create({
      type: 'webhook',
      name: 'Away',
      target: { url: `http://127.0.0.1:9/${TEXT_MARK}?key=${DIGIT_MARK}` },
    });
    const failing = await v2.syncs.create({
      type: 'transactions',
      name: 'Away',
      destination: away.id,
      accounts: [account],
      mapping_mode: 'bulk',
      options: { data_from: '2024-01-01' },
    });
    const failed = await until(
      () => v2.syncRuns.get({ id: failing.latest_run?.id ?? '' }),
      ({ status }) => status !== 'queued' && status !== 'running',
      30_000,
      signal,
    );
    assert.equal(failed.status, 'failed');
    await read('/v2/syncs?include[]=latest_run');
    await read(`/v2/syncs/${sync.id}/runs`);
    dumped = await dump(app.database.db);
  } finally {
    await close();
  }

  const traces = collector.requests.map(({ body }) => body).join();
  for (const name of ['sync run', 'deliver', 'compare', 'provider transactions', 'GET /v2/transactions'])
    assert.ok(
      collector.spans.some((span) => span.name === name),
      `${name} was traced`,
    );
  assert.ok(
    collector.spans.some(({ failed }) => failed),
    'failures were traced',
  );
  assert.equal(marksIn(Buffer.from(traces)), 0, 'a span holds a mark');
  assert.ok(!traces.includes('canary@example.com') && !traces.includes('@'), 'a span holds an address');
  assert.equal(receiver.counts().rows, 10, 'the rows did arrive');
  assert.ok(marksIn(Buffer.from(answers)) >= 2, 'callers did see the marks');
  assert.ok(marksIn(Buffer.from(bridge.answers)) >= 2, 'the app did see the marks');
  for (const secret of bridge.secrets) {
    assert.ok(secret.length >= 32 && !logged.includes(secret) && !dumped.text.includes(secret));
    assert.ok(!traces.includes(secret));
  }
  assert.ok(
    dumped.tables > 10 && dumped.text.includes('canary@example.com'),
    'the dump holds what we do keep',
  );
  assert.equal(marksIn(dumped.text), 0, 'a table holds a mark');
  assert.match(logged, /"level":"(debug|warn|error)"/, 'the failures were logged');
  assert.equal(marksIn(Buffer.from(logged)), 0, 'the log holds a mark');
  assert.match(measured, /^tributary_/m);
  assert.equal(marksIn(Buffer.from(measured)), 0, 'a metric holds a mark');
  const files = await markedFiles(dataDir);
  assert.ok(files.looked >= (server === null ? 500 : 2), `only ${files.looked} files were looked at`);
  assert.deepEqual(files.marked, []);

  await plantAndFind(dataDir, server?.url ?? null);
});

/**
 * Uploads a statement in which everything carries a mark, its file name included, takes it, and reads what there is to
 * read; a damaged one is refused. The answers.
 */
async function readMarkedStatement(ask: V2Client): Promise<string> {
  const row = {
    date: '2024-03-01',
    amount: `-${DIGIT_MARK}.50`,
    description: `${TEXT_MARK} in a file`,
    reference: `${TEXT_MARK}1`,
  };
  const text = ofxOf([row, { ...row, reference: `${TEXT_MARK}2` }], DIGIT_MARK);
  const name = `${TEXT_MARK}-${DIGIT_MARK}.ofx`;
  const sent = { name, content: Buffer.from(text).toString('base64') };
  const uploaded = await ask('POST', '/v2/documents', sent, { 'idempotency-key': 'marked' });
  assert.equal(uploaded.status, 200, JSON.stringify(uploaded.body));
  const path = `/v2/documents/${uploaded.body.id}`;
  const taken = await ask('POST', `${path}/take`);
  const [{ account }] = taken.body.parts;
  let answers = '';
  for (const read of [
    path,
    `${path}/file`,
    `${path}/preview`,
    '/v2/documents',
    `/v2/transactions?account=${account}&from=2024-01-01&to=2024-12-31`,
  ]) {
    const answer = await ask('GET', read);
    assert.equal(answer.status, 200, `${read}: ${JSON.stringify(answer.body)}`);
    answers += JSON.stringify(answer.body);
  }
  assert.ok(answers.includes(`${TEXT_MARK} in a file`));
  const damaged = Buffer.from(`${text.slice(0, 900)}\0<STMTTRN`).toString('base64');
  await ask('POST', '/v2/documents', { name, content: damaged });
  await ask('POST', '/v2/documents', { name: 'a', content: `${TEXT_MARK}!` });
  return answers;
}

/** Links someone at Up whose every row carries a mark; the account. */
async function linkMarkedUp(
  v2: Tributary,
  app: App,
  returnUrl: string,
  signal: AbortSignal,
): Promise<string> {
  const control = sandboxUp(app);
  control.choose('quiet');
  const customer = { provider: 'up_bank', bank: null, customer: 'quiet' } as const;
  const [account] = await linkCustomer(v2, customer, new Map(), returnUrl, signal);
  assert.ok(account);
  const upstream = control.customers().find((one) => one.customer === 'quiet')?.accounts[0]?.accountId;
  const marked = { description: `${TEXT_MARK} shop`, message: `${TEXT_MARK} message` };
  control.appendTransactions(upstream ?? '', [
    { ...marked, amount: `-${DIGIT_MARK}.10`, roundUp: `-${DIGIT_MARK}.90` },
    { ...marked, amount: `${DIGIT_MARK}.20`, status: 'PENDING' },
  ]);
  return account;
}

/** The same at a SimpleFIN server. */
async function linkMarkedSimplefin(
  v2: Tributary,
  app: App,
  returnUrl: string,
  signal: AbortSignal,
): Promise<string> {
  const control = sandboxSimplefin(app);
  const customer = { provider: 'simplefin', bank: null, customer: 'rows:0' } as const;
  const [account] = await linkCustomer(v2, customer, new Map(), returnUrl, signal);
  assert.ok(account);
  const upstream = control.customers().find((one) => one.customer === 'rows:0')?.accounts[0]?.accountId;
  const description = `${TEXT_MARK} market`;
  control.appendTransactions(upstream ?? '', [
    { description, amount: `-${DIGIT_MARK}.10` },
    { description, amount: `${DIGIT_MARK}.20`, status: 'PENDING' },
  ]);
  return account;
}

/** A member who wants details of large transactions by e-mail and in the browser that this answers. */
async function notifyOfMarked(
  app: App,
  owner: OwnerId,
  push: SimulatedPushService,
): Promise<BrowserSubscription> {
  const { id: user } = await addPerson({ app }, { record: await app.services.accountRecords.find(owner) });
  const { notificationSettings, pushService } = app.notifying;
  const choice = { email: true, push: true, details: true };
  await notificationSettings.choose(user, new Map([['large_transaction', choice]]));
  await notificationSettings.addThreshold(
    { owner, user },
    { sync: null, money: { amount: 1, currency: 'aud' } },
  );
  const browser = push.subscribe(await pushService.publicKey());
  await notificationSettings.addDevice({ owner, user }, browser, undefined);
  return browser;
}

/** The search works: it finds a mark in a table, in the database's own files, and in a file in another encoding. */
async function plantAndFind(dataDir: string, serverUrl: string | null): Promise<void> {
  const database = await openDatabase(
    serverUrl === null ? { kind: 'embedded', dataDir } : { kind: 'postgres', url: serverUrl },
  );
  await database.db
    .updateTable('api_keys')
    .set({ name: `paid ${DIGIT_MARK}.10` })
    .execute();
  const planted = await dump(database.db);
  await database.close();
  assert.ok(marksIn(planted.text) > 0);
  await writeFile(join(dataDir, 'planted'), Buffer.from(`x ${TEXT_MARK} y`).toString('base64'));
  const { marked } = await markedFiles(dataDir);
  assert.ok(marked.some((path) => path.endsWith('planted')));
  if (serverUrl === null) assert.ok(marked.some((path) => path.includes('database')));
}

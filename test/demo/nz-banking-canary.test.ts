import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tributary } from '#client';
import { NzBankingControl } from '../../sandbox/nz-banking/control.ts';
import { linkCustomer, until } from '../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../src/app/demo/limits-aside.ts';
import { WebhookReceiver } from '../../src/app/demo/receiver.ts';
import { startService } from '../support/service.ts';
import { ONLY_THOROUGH } from '../support/thorough.ts';
import { v2Client } from '../support/v2-client.ts';
import { dump, markedFiles, marksIn } from './mark-search.ts';
import { DIGIT_MARK, TEXT_MARK } from './marked-bank.ts';

test(
  'No row of a bank in New Zealand and no token of its owner is in files, tables or logs after everything was read and synced',
  ONLY_THOROUGH,
  async (t) => {
    let logged = '';
    const service = await startService(
      { LOG_LEVEL: 'debug', ...LIMITS_ASIDE },
      {
        destination: {
          write: (line) => {
            logged += line;
          },
        },
      },
    );
    t.after(() => service.close());
    const receiver = await WebhookReceiver.start();
    t.after(() => receiver.close());
    const control = service.app.sandbox?.simulators.get('nz_banking')?.control;
    assert.ok(control instanceof NzBankingControl);

    const owner = await service.owner();
    const v2 = new Tributary({ url: service.url, apiKey: owner.key });
    const ask = v2Client(service.url, owner.key, () => undefined);
    const signal = AbortSignal.timeout(60_000);
    const somebody = { provider: 'nz_banking', bank: null, customer: 'dormant+canary' } as const;
    const [account] = await linkCustomer(v2, somebody, new Map(), `${receiver.url}/linked`, signal);
    assert.ok(account);
    const [user] = control.users();
    const rows = ['-', '', '-'].map((sign, at) => ({
      amount: `${sign}${DIGIT_MARK}.1${at}`,
      description: `${TEXT_MARK} description ${at}`,
      merchant: `${TEXT_MARK} merchant`,
      reference: `${TEXT_MARK} reference`,
    }));
    control.appendTransactions(user?.accounts[0]?.accountId ?? '', [
      ...rows,
      { amount: `-${DIGIT_MARK}.77`, description: `${TEXT_MARK} pending`, status: 'PENDING' },
    ]);

    let answers = '';
    const window = `account=${account}&include_pending=true`;
    for (const path of [
      '/v2/connections?include[]=accounts',
      '/v2/consents',
      `/v2/accounts/${account}/balance`,
      `/v2/transactions?${window}`,
    ]) {
      const answer = await ask('GET', path);
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
      answers += JSON.stringify(answer.body);
    }
    assert.ok(marksIn(Buffer.from(answers)) >= 2, 'callers did see the marks');

    // What goes wrong is what gets logged.
    const failing = `/v2/transactions?account=${account}&from=2025-12-01&to=2026-12-31`;
    for (const kind of ['malformed-json', 'truncated-body', 'row-without-id', 'foreign-row'] as const) {
      control.addFault({ route: 'GET /v1/accounts/*/transactions', kind, count: 5 });
      const failed = await ask('GET', failing);
      // One bad row is set aside, and logged as well.
      if (!kind.includes('row')) assert.ok(failed.status >= 400, `${kind}: ${failed.status}`);
      control.clearFaults();
    }

    const destination = await v2.destinations.create({
      type: 'webhook',
      name: 'Canary',
      target: { url: `${receiver.url}/deliveries` },
    });
    receiver.expect(destination.config?.signing_secret ?? '');
    const sync = await v2.syncs.create({
      type: 'transactions',
      name: 'Canary',
      destination: destination.id,
      accounts: [account],
      mapping_mode: 'bulk',
      options: { include_pending: true },
    });
    const run = sync.latest_run?.id ?? '';
    const ended = await until(
      () => v2.syncRuns.get({ id: run }),
      ({ status }) => status !== 'queued' && status !== 'running',
      30_000,
      signal,
    );
    assert.equal(ended.status, 'succeeded');
    assert.equal(receiver.counts().rows, 4, 'the rows did arrive');

    const { tables, text } = await dump(service.app.database.db);
    assert.ok(tables > 10);
    assert.equal(marksIn(text), 0, 'a table holds a mark');
    assert.equal(marksIn(Buffer.from(logged)), 0, 'the log holds a mark');
    assert.match(logged, /"level":"(debug|warn|error)"/, 'the failures were logged');
    assert.deepEqual((await markedFiles(service.dataDir)).marked, []);
    for (const [where, found] of [
      ['table', text],
      ['log', Buffer.from(logged)],
    ] as const) {
      assert.ok(!found.includes('user_token_'), `the ${where} holds the token of the user`);
      assert.ok(!found.includes('sandbox-secret'), `the ${where} holds the secret of the app`);
      assert.ok(!found.includes(user?.userId ?? ''), `the ${where} holds the id of the user`);
    }
  },
);

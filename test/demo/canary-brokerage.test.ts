import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Tributary } from '#client';
import { BrokerageControl } from '../../sandbox/brokerage/control.ts';
import type { Instrument } from '../../sandbox/brokerage/instrument.ts';
import { until } from '../../src/app/demo/demo-steps.ts';
import { WebhookReceiver } from '../../src/app/demo/receiver.ts';
import { importedConnection, linkBroker } from '../features/linking/person.ts';
import { startService } from '../support/service.ts';
import { ONLY_THOROUGH } from '../support/thorough.ts';
import { dump, markedFiles, marksIn } from './mark-search.ts';
import { DIGIT_MARK, TEXT_MARK } from './marked-bank.ts';
import { v1Paths } from './v1-paths.ts';

const MARKED: Instrument = {
  kind: 'stock',
  symbol: `${TEXT_MARK}.A`,
  name: `${TEXT_MARK} Corporation`,
  currency: 'USD',
  exchange: 'XNAS',
};

test(
  'No position, trade, amount or number of a broker is in files, tables or logs after everything was read and synced',
  ONLY_THOROUGH,
  async (t) => {
    let logged = '';
    const destination = {
      write: (line: string) => {
        logged += line;
      },
    };
    const service = await startService({ LOG_LEVEL: 'debug' }, { destination });
    t.after(() => service.close());
    const control = service.app.sandbox?.simulators.get('brokerage')?.control;
    assert.ok(control instanceof BrokerageControl);
    control.settings.firstSyncDelayMs = 0;
    const owner = await service.owner();
    const linked = await importedConnection(owner, await linkBroker(owner, 'cash-only'));
    const account: string = linked.accounts[0].id;
    const upstream = control.connections()[0]?.accounts[0] ?? assert.fail('nobody linked');
    const figure = { currency: 'USD', price: `${DIGIT_MARK}.25`, cost: `${DIGIT_MARK}.5` };
    control.setPositions(upstream, [{ instrument: MARKED, units: '3', ...figure }]);
    control.appendActivities(upstream, [
      {
        type: 'BUY',
        symbol: MARKED.symbol,
        units: '1',
        price: `${DIGIT_MARK}.25`,
        description: `${TEXT_MARK} bought`,
      },
      { type: 'FEE', amount: `-${DIGIT_MARK}.1`, description: `${TEXT_MARK} fee` },
    ]);

    let answers = '';
    const v2 = new Tributary({ url: service.url, apiKey: owner.key });
    const paths = [
      `/v2/holdings?account=${account}`,
      `/v2/trades?account=${account}`,
      ...(await v1Paths(owner.v2)),
    ];
    for (const path of [...paths, '/v2/accounts', '/v2/connections?include[]=accounts', '/v2/consents']) {
      const answer = await owner.v2('GET', path);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      answers += JSON.stringify(answer.body);
    }
    // One receiver takes the trades, the other is away, so that a failed delivery is logged and tried again.
    const receiver = await WebhookReceiver.start();
    t.after(() => receiver.close());
    for (const [url, ends] of [
      [`${receiver.url}/deliveries`, 'succeeded'],
      ['http://127.0.0.1:9/away', 'failed'],
    ] as const) {
      const destination = await v2.destinations.create({
        type: 'webhook',
        name: 'Canary',
        target: { url },
      });
      receiver.expect(destination.config?.signing_secret ?? '');
      const sync = await v2.syncs.create({
        type: 'trades',
        name: 'Canary',
        destination: destination.id,
        accounts: [account],
        mapping_mode: 'bulk',
        options: { mask_account_numbers: false },
      });
      const run = await until(
        () => v2.syncRuns.get({ id: sync.latest_run?.id ?? '' }),
        ({ status }) => status !== 'queued' && status !== 'running',
        30_000,
        AbortSignal.timeout(60_000),
      );
      assert.equal(run.status, ends, run.failure?.code);
      if (ends === 'succeeded') assert.ok(receiver.counts().rows >= 2, 'the trades did arrive');
    }

    for (const kind of ['malformed-json', 'truncated-body', 'row-without-id'] as const) {
      for (const path of paths.filter((one) => /holdings|trades/.test(one))) {
        control.addFault({ route: 'GET /accounts/*', kind, count: 5 });
        const { status } = await owner.v2('GET', path);
        if (kind !== 'row-without-id') assert.ok(status >= 400, `${kind} ${path}: ${status}`);
        control.clearFaults();
      }
    }

    assert.ok(marksIn(Buffer.from(answers)) >= 2, 'callers did see the marks');
    const dumped = await dump(service.app.database.db);
    assert.ok(dumped.text.includes(owner.record.email), 'the dump holds what we do keep');
    const numbers = control.numbersOf(upstream);
    for (const [what, bytes] of [
      ['a table', dumped.text],
      ['the log', Buffer.from(logged)],
    ] as const) {
      assert.equal(marksIn(bytes), 0, `${what} holds a mark`);
      for (const number of numbers)
        assert.ok(!bytes.includes(number), `${what} holds a number of the account`);
    }
    assert.match(logged, /"level":"(debug|warn|error)"/, 'the failures were logged');
    const files = await markedFiles(service.dataDir);
    assert.ok(files.looked > 1);
    assert.deepEqual(files.marked, []);
    const kept = await readdir(join(service.dataDir, 'sandbox'));
    assert.ok(kept.includes('brokerage.json'));
    assert.equal(marksIn(await readFile(join(service.dataDir, 'sandbox', 'brokerage.json'))), 0);
  },
);

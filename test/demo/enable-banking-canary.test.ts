import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tributary } from '#client';
import { EnableBankingControl } from '../../sandbox/enable-banking/control.ts';
import { banksByName, linkCustomer } from '../../src/app/demo/demo-steps.ts';
import { LIMITS_ASIDE } from '../../src/app/demo/limits-aside.ts';
import { startService } from '../support/service.ts';
import { ONLY_THOROUGH } from '../support/thorough.ts';
import { v2Client } from '../support/v2-client.ts';
import { dump, markedFiles, marksIn } from './mark-search.ts';
import { DIGIT_MARK, TEXT_MARK } from './marked-bank.ts';

test(
  'No row of a European bank, no session and no key of the application is in files, tables or logs after everything was read',
  ONLY_THOROUGH,
  async (t) => {
    let logged = '';
    const write = (line: string): void => {
      logged += line;
    };
    const service = await startService({ LOG_LEVEL: 'debug', ...LIMITS_ASIDE }, { destination: { write } });
    t.after(() => service.close());
    const simulator = service.app.sandbox?.simulators.get('enable_banking');
    const control = simulator?.control;
    assert.ok(simulator && control instanceof EnableBankingControl);
    const owner = await service.owner();
    const v2 = new Tributary({ url: service.url, apiKey: owner.key });
    const ask = v2Client(service.url, owner.key, () => undefined);
    const somebody = {
      provider: 'enable_banking',
      bank: 'Kuura Bank (FI)',
      customer: 'dormant+canary',
    } as const;
    const banks = await banksByName(v2, 'enable_banking');
    const [account] = await linkCustomer(
      v2,
      somebody,
      banks,
      'http://127.0.0.1:1/linked',
      AbortSignal.timeout(60_000),
    );
    assert.ok(account);
    const [session] = control.sessions();
    const uid = session?.accounts[0]?.uid ?? assert.fail();
    control.appendTransactions(uid, [
      { amount: `-${DIGIT_MARK}.11`, description: `${TEXT_MARK} text`, party: `${TEXT_MARK} shop` },
      { amount: `-${DIGIT_MARK}.77`, description: `${TEXT_MARK} pending`, status: 'PENDING' },
    ]);
    let answers = '';
    for (const path of [
      '/v2/connections?include[]=accounts',
      '/v2/consents',
      `/v2/accounts/${account}/balance`,
      `/v2/transactions?account=${account}&include_pending=true`,
    ]) {
      const answer = await ask('GET', path);
      assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
      answers += JSON.stringify(answer.body);
    }
    assert.ok(marksIn(Buffer.from(answers)) >= 2, 'callers did see the marks');
    // What goes wrong is what gets logged.
    const failing = `/v2/transactions?account=${account}&from=2025-12-01&to=2026-12-31`;
    for (const kind of ['malformed-json', 'truncated-body'] as const) {
      control.addFault({ route: 'GET /accounts/*/transactions', kind, count: 5 });
      assert.ok((await ask('GET', failing)).status >= 400, kind);
      control.clearFaults();
    }
    const { text } = await dump(service.app.database.db);
    assert.equal(marksIn(text), 0, 'a table holds a mark');
    assert.equal(marksIn(Buffer.from(logged)), 0, 'the log holds a mark');
    assert.match(logged, /"level":"(debug|warn|error)"/, 'the failures were logged');
    assert.deepEqual((await markedFiles(service.dataDir)).marked, []);
    const key = simulator.settings.ENABLE_BANKING_PRIVATE_KEY?.split('\n')[1] ?? assert.fail();
    for (const found of [text, Buffer.from(logged)])
      for (const secret of [key, session?.sessionId ?? assert.fail()]) assert.ok(!found.includes(secret));
  },
);

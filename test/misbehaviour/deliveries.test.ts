import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { WebhookReceiver } from '../../src/app/demo/receiver.ts';
import { until } from '../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { THOROUGH } from '../support/thorough.ts';
import { type Bank, openBanks, POSTED, statementOf } from './banks.ts';
import { CASES, type Simulated } from './cases.ts';

const BANKS: readonly Simulated[] = ['au_banking', 'nz_banking', 'up_bank', 'enable_banking', 'simplefin'];
/** Every so many cases are played; with MISBEHAVIOURS=all, each of them. */
const STEP = process.env.MISBEHAVIOURS === 'all' ? 1 : THOROUGH ? 10 : 15;

let service: TestService;
let owner: TestOwner;
let banks: readonly Bank[];

before(async () => {
  service = await startService({ LIMIT_TRANSACTIONS_CACHE_MINUTES: '0', LIMIT_BALANCE_CACHE_MINUTES: '0' });
  owner = await service.owner();
  banks = await openBanks(service, owner, BANKS);
});
after(() => service.close());

/** Runs the sync and waits for the end; the run as v2 shows it. */
async function run(sync: string) {
  const asked = await owner.v2('POST', `/v2/syncs/${sync}/run`);
  assert.ok(asked.status < 300, JSON.stringify(asked.body));
  const { body } = await until(
    () => owner.v2('GET', `/v2/sync_runs/${asked.body.id}`),
    (answer) => !['queued', 'running'].includes(answer.body.status),
  );
  return body;
}

describe('a webhook receives what the bank shows', () => {
  const played = CASES.filter((one, index) => one.reaches && index % STEP === 0);
  for (const { name, more, expected, providers } of played)
    for (const provider of BANKS.filter((one) => providers.includes(one)))
      test(`${name} at ${provider}`, async (t) => {
        const bank = banks.find((one) => one.provider === provider) ?? assert.fail(provider);
        const { control } = bank;
        control.clear();
        control.setStatements([statementOf(bank, service.app.clock.now())]);
        const receiver = await WebhookReceiver.start();
        t.after(() => receiver.close());
        const made = await owner.v2('POST', '/v2/destinations', {
          type: 'webhook',
          name: 'books',
          target: { url: `${receiver.url}/deliveries` },
        });
        receiver.expect(made.body.config.signing_secret);
        const sync = await owner.v2('POST', '/v2/syncs', {
          type: 'transactions',
          name: 'books',
          destination: made.body.id,
          accounts: [bank.account],
          mapping_mode: 'bulk',
          run_now: false,
          options: { include_pending: true },
        });
        assert.ok(sync.status < 300, JSON.stringify(sync.body));
        assert.equal((await run(sync.body.id)).status, 'succeeded');
        assert.equal(receiver.counts().rows, POSTED + 1);
        control.addMisbehaviour({ name, ...more });
        const wanted = expected(POSTED, 1);
        assert.ok(wanted !== null);
        assert.equal((await run(sync.body.id)).status, 'succeeded');
        control.clearMisbehaviours();
        // What vanished may be waited for again before it is removed.
        await run(sync.body.id);
        assert.equal((await run(sync.body.id)).status, 'succeeded');
        // Rows that were there for a while only are removed once two reads a day apart lack them.
        const extra = wanted.rows === 'shown' ? POSTED : Math.max(0, wanted.rows - POSTED - 1);
        const { rows } = receiver.counts();
        assert.ok(rows >= POSTED + 1 && rows <= POSTED + 1 + extra, `${rows} rows`);
        assert.equal(receiver.counts().duplicates, 0);
      });
});

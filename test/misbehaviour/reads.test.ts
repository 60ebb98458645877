import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Answer, Json } from '../support/v2-client.ts';
import { type Bank, openBanks, POSTED, statementOf } from './banks.ts';
import { CASES, type Simulated } from './cases.ts';

const PROVIDERS: readonly Simulated[] = [
  'au_banking',
  'nz_banking',
  'up_bank',
  'enable_banking',
  'simplefin',
  'brokerage',
];

let service: TestService;
let owner: TestOwner;
let banks: readonly Bank[];

before(async () => {
  service = await startService({
    LIMIT_BALANCE_CACHE_MINUTES: '0',
    LIMIT_DETAILS_CACHE_MINUTES: '0',
    LIMIT_TRANSACTIONS_CACHE_MINUTES: '0',
    LIMIT_SHARED_ROW_IDS: '2',
  });
  owner = await service.owner();
  banks = await openBanks(service, owner, PROVIDERS);
});
after(() => service.close());

const bankOf = (provider: Simulated): Bank =>
  banks.find((bank) => bank.provider === provider) ?? assert.fail(provider);

function read({ provider, account }: Bank): Promise<Answer> {
  return provider === 'brokerage'
    ? owner.v2('GET', `/v2/trades?account=${account}&limit=100`)
    : owner.v2('GET', `/v2/transactions?account=${account}&limit=100&include_pending=true`);
}

const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: Json) => id).toSorted();

test('of ids under which a bank lists several rows, so many are noted for an account, and every row is shown [limit shared_row_ids]', async () => {
  const bank = bankOf('au_banking');
  bank.control.clear();
  bank.control.setStatements([statementOf(bank, service.app.clock.now())]);
  const clean = await read(bank);
  bank.control.addMisbehaviour({ name: 'two_rows_one_id', count: 4 });
  assert.equal((await read(bank)).body.data.length, clean.body.data.length);
  const noted = await service.app.database.db.selectFrom('shared_row_ids').select('account').execute();
  const byAccount = [...Map.groupBy(noted, ({ account }) => account).values()].map((ids) => ids.length);
  assert.ok(byAccount.includes(2) && byAccount.every((count) => count <= 2), byAccount.join());
});

for (const provider of PROVIDERS)
  describe(`what v2 answers of ${provider}`, () => {
    for (const { name, more, expected, providers } of CASES) {
      if (!providers.includes(provider)) continue;
      test(`${name}: no row is lost, doubled or hidden, and no answer is a 500`, async () => {
        const bank = bankOf(provider);
        const { control } = bank;
        control.clear();
        control.setStatements([statementOf(bank, service.app.clock.now())]);
        const clean = await read(bank);
        assert.equal(clean.status, 200, JSON.stringify(clean.body));
        const pending = provider === 'brokerage' ? 0 : 1;
        assert.equal(clean.body.data.length, POSTED + pending);
        control.addMisbehaviour({ name, ...more });
        const answer = await read(bank);
        const wanted = expected(POSTED, pending);
        if (wanted === null) {
          assert.ok(answer.status >= 400 && answer.status !== 500, `${answer.status}`);
          if (name === 'retry_after_date') return;
          control.clear();
          assert.deepEqual(idsOf(await read(bank)), idsOf(clean), 'the bank is read again at once');
          return;
        }
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        const shown = control.shown()[bank.vendorAccount] ?? [];
        assert.equal(answer.body.data.length, wanted.rows === 'shown' ? shown.length : wanted.rows);
        assert.equal(answer.body.set_aside.length, wanted.rejected ?? 0);
        if (wanted.sameIds !== false) assert.deepEqual(idsOf(answer), idsOf(clean));
      });
    }
  });

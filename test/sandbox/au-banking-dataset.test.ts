import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { BankDataset } from '../../sandbox/au-banking/dataset/bank-dataset.ts';
import { FLAT_HOLDER_ID } from '../../sandbox/au-banking/dataset/flat-shape.ts';
import { loadBankDataset } from '../../sandbox/au-banking/dataset/load.ts';
import { primaryOfMerchantCode } from '../../sandbox/au-banking/dataset/merchant-category.ts';
import { sumDecimals } from '../../sandbox/shared/decimal.ts';
import { list, record, type Visitor, withSimulator } from './visitor.ts';

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'));
}

type Statement = {
  readonly accounts: readonly Record<string, unknown>[];
  readonly rows: readonly Record<string, unknown>[];
  readonly balances: readonly Record<string, unknown>[];
};

async function open(visitor: Visitor, institution: string, customer: string): Promise<Statement> {
  const user = await visitor.endUser();
  await visitor.link(user, { institution, customer });
  const read = async (name: string): Promise<readonly Record<string, unknown>[]> =>
    list((await visitor.get(`/v1/banking/${name}?end_user_id=${user}`)).body, name);
  return {
    accounts: await read('accounts'),
    balances: await read('balances'),
    rows: await visitor.rows(`end_user_id=${user}`),
  };
}

test('the flat shape: signs from the types, equal rows stay two, empty times are null, text is untouched', async () => {
  await withSimulator({ dataset: loadBankDataset(fixture('flat-bank.json')) }, async (visitor) => {
    const { accounts, rows, balances } = await open(visitor, FLAT_HOLDER_ID, 'mzapata');
    assert.deepEqual(
      accounts.map((account) => [account.account_id, account.open_status, account.masked_number]).sort(),
      [
        ['flat-closed', 'CLOSED', 'xxx-xxx xxxxx222'],
        ['flat-everyday', 'OPEN', 'xxx-xxx xxxxx111'],
      ],
    );
    const amounts = rows.map((row) => [row.amount, row.status]);
    assert.deepEqual(amounts, [
      ['-1.005', 'PENDING'],
      ['1000.00', 'POSTED'],
      ['-12.50', 'POSTED'],
      ['-12.50', 'POSTED'],
    ]);
    assert.equal(new Set(rows.map((row) => row.fiskil_id)).size, 4);
    assert.equal(rows[1]?.description, '=HYPERLINK("http://x")');
    assert.equal(rows[1]?.posting_date_time, '2022-03-02T00:00:00.000Z');
    assert.equal(rows[2]?.description, 'Café «Ünïcode» 東京 🍜');
    assert.equal(record(rows[2]?.category).primary_category, 'FOOD_AND_DRINK');
    assert.equal(rows[0]?.posting_date_time ?? rows[0]?.execution_date_time, null);
    const everyday = balances.find((balance) => balance.account_id === 'flat-everyday');
    assert.equal(everyday?.current_balance, '975.00');
  });
});

test('the standard shape: strings are never rounded, declared balances hold, older product shapes are brought up', async () => {
  await withSimulator(
    { dataset: loadBankDataset(fixture('standard-bank.json')) },
    async (visitor, simulator) => {
      const { accounts, rows, balances } = await open(visitor, '77001', 'std-1');
      const amounts = rows.map((row) => row.amount);
      assert.deepEqual(amounts, ['-0.010', '-0.010', '-7.00', '-1200', '12345678901234567.891']);
      assert.equal(new Set(rows.map((row) => row.fiskil_id)).size, 5);
      assert.equal(rows[3]?.posting_date_time, '2024-02-29T23:59:59.999+11:00');
      assert.equal(record(rows[3]?.category).primary_category, 'ENTERTAINMENT');
      assert.deepEqual(record(record(rows[4]).extended_data).npp_payload, {
        end_to_end_id: 'e',
        purpose_code: 'CBFF',
      });
      const [account] = accounts;
      assert.deepEqual(
        list(account, 'fees').map((fee) => fee.fee_method_u_type),
        ['fixedAmount', 'rateBased'],
      );
      assert.equal(list(account, 'features')[0]?.is_activated, 'ACTIVATED');
      const tier = list(list(account, 'deposit_rates')[0], 'tiers')[0];
      assert.deepEqual(
        [tier?.minimum_value, tier?.maximum_value, tier?.applicability_conditions],
        ['0', '100.5', [{ additional_info: 'x' }]],
      );
      assert.deepEqual(
        balances.map((row) => [Number(row.current_balance), Number(row.available_balance), row.currency]),
        [[100000, 90000, 'JPY']],
      );
      simulator.control.appendTransactions('std-yen', [{ amount: '-500', description: 'later' }]);
      const user = simulator.control.consents()[0]?.endUserId;
      const [moved] = list((await visitor.get(`/v1/banking/balances?end_user_id=${user}`)).body, 'balances');
      assert.equal(Number(moved?.current_balance), 99500);
    },
  );
});

test('a bank of a data file offers its own customers only, beside the persona bank', async () => {
  await withSimulator({ dataset: loadBankDataset(fixture('flat-bank.json')) }, async (visitor) => {
    await assert.rejects(open(visitor, FLAT_HOLDER_ID, 'rows:5'));
    assert.equal((await open(visitor, '88888', 'rows:5')).rows.length, 5);
  });
});

test('anything else is refused with the path to the problem', () => {
  for (const json of [null, [], {}, { holders: 3 }, 'text'])
    assert.throws(() => loadBankDataset(json), /\$: must have a list/);
  const row = { TransactionType: 'FEE', Status: 'POSTED', Amount: 1 };
  const flat = (change: object): unknown => ({
    Customers: [{ LoginId: 'a', Accounts: [{ AccountId: 'b', Transactions: [row, { ...row, ...change }] }] }],
  });
  const at = '\\$\\.Customers\\[0\\]\\.Accounts\\[0\\]\\.Transactions\\[1\\]\\.';
  assert.throws(
    () => loadBankDataset(flat({ Amount: 'ten' })),
    new RegExp(`${at}Amount: must be a decimal number`),
  );
  assert.throws(() => loadBankDataset(flat({ Amount: 1e30 })), new RegExp(`${at}Amount`));
  assert.throws(() => loadBankDataset(flat({ Status: 'MAYBE' })), new RegExp(`${at}Status`));
  assert.throws(
    () => loadBankDataset(flat({ PostingDateTime: 'yesterday' })),
    new RegExp(`${at}PostingDateTime`),
  );
  assert.throws(
    () => loadBankDataset({ holders: [{ holderId: '1', holder: {} }] }),
    /holders\[0\]\.holder\.authenticated/,
  );
});

test('a flat file with any negative amount is taken as signed', () => {
  const row = (Amount: number): object => ({ TransactionType: 'PAYMENT', Status: 'POSTED', Amount });
  const load = (...amounts: number[]): BankDataset =>
    loadBankDataset({
      Customers: [{ LoginId: 'a', Accounts: [{ AccountId: 'b', Transactions: amounts.map(row) }] }],
    });
  const amounts = (file: BankDataset): readonly string[] =>
    file.holders[0]?.customers[0]?.accounts[0]?.rows.map((entry) => entry.facts.amount) ?? [];
  assert.deepEqual(amounts(load(5, 0.1, 1.234)), ['-5.00', '-0.10', '-1.234']);
  assert.deepEqual(amounts(load(5, -0.1)), ['5.00', '-0.10']);
});

test('merchant codes: single codes win over ranges', () => {
  const expected = {
    '7995': 'ENTERTAINMENT',
    '7997': 'PERSONAL_CARE',
    '5815': 'ENTERTAINMENT',
    '5813': 'FOOD_AND_DRINK',
    '5999': 'MERCHANDISE',
    '3200': 'TRAVEL',
    '742': 'MEDICAL',
    '9999': null,
    '': null,
  };
  for (const [code, primary] of Object.entries(expected))
    assert.equal(primaryOfMerchantCode(code), primary, code);
});

const PUBLISHED = new URL('../../../shared/data/', import.meta.url);
const missing = existsSync(PUBLISHED) ? false : 'the published data files are not beside the checkout';

for (const [name, institution, accountCount, rowCount] of [
  ['mock-data-holder/seed-data.banking.json', FLAT_HOLDER_ID, 52, 85],
  ['mock-data-holder/seed-data.unit-tests.json', FLAT_HOLDER_ID, 52, 36],
  ['dsb/all-data-1.29.1.json', '413528385', 40, 400],
] as const) {
  test(`every row of the published ${name} comes through, unchanged in amount`, {
    skip: missing,
  }, async () => {
    const json: unknown = JSON.parse(readFileSync(new URL(name, PUBLISHED), 'utf8'));
    const dataset = loadBankDataset(json);
    await withSimulator({ dataset }, async (visitor) => {
      const amounts: string[] = [];
      let accounts = 0;
      for (const { customer, accounts: owned } of dataset.holders[0]?.customers ?? []) {
        if (owned.length === 0) continue;
        const read = await open(visitor, institution, customer);
        accounts += read.accounts.length;
        amounts.push(...read.rows.map((row) => String(row.amount).replace('-', '')));
      }
      assert.equal(accounts, accountCount);
      assert.equal(amounts.length, rowCount);
      const written = amountsIn(json).map((amount) => String(amount).replace('-', ''));
      assert.equal(sumDecimals(amounts), sumDecimals(written));
    });
  });
}

/** All transaction amounts of a file, found without the loader. */
function amountsIn(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json.flatMap(amountsIn);
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json)
    .filter(([name]) => name !== 'energy')
    .flatMap(([name, value]) =>
      /^transactions$/i.test(name) && Array.isArray(value)
        ? value.map((row: unknown) => record(row).Amount ?? record(row).amount)
        : amountsIn(value),
    );
}

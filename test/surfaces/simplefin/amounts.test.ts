import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { amountText } from '../../../src/operations/simplefin/rows.ts';
import { moneyFromDecimal } from '../../../src/vocabulary/money.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { bankFile } from '../../features/provider-gateway/generated-bank.ts';
import { connectApp, newSetupToken, rowsOf } from '../../support/bridge.ts';
import { scratchDirectory } from '../../support/scratch.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { BudgetClient } from '../../support/simplefin/budget-client.ts';
import { checkAccountSet, ImportClient } from '../../support/simplefin/import-client.ts';
import type { Json } from '../../support/v2-client.ts';
import { DAY } from './stage.ts';

interface Amounts {
  readonly sent: string;
  readonly exact: string;
  readonly twoDecimals: string;
}

const at = (sent: string, exact: string, twoDecimals: string): Amounts => ({ sent, exact, twoDecimals });
const alike = (sent: string, shown: string): Amounts => at(sent, shown, shown);

/** What the bank says of an account in each currency, and how it is sent in both forms. */
const ACCOUNTS: Readonly<Record<string, { readonly balance: Amounts; readonly rows: readonly Amounts[] }>> = {
  KWD: {
    balance: at('1234.567', '1234.567', '1234.57'),
    rows: [
      at('1.234', '1.234', '1.23'),
      at('-1.235', '-1.235', '-1.24'),
      at('-0.004', '-0.004', '0.00'),
      alike('12.500', '12.50'),
    ],
  },
  BHD: {
    balance: at('-0.005', '-0.005', '-0.01'),
    rows: [at('0.005', '0.005', '0.01'), alike('7', '7.00'), at('-10.0105', '-10.0105', '-10.01')],
  },
  JPY: { balance: alike('98765', '98765.00'), rows: [alike('1234', '1234.00'), alike('-5.00', '-5.00')] },
  AUD: {
    balance: alike('10.10', '10.10'),
    rows: [at('-1.0005', '-1.0005', '-1.00'), alike('-12.34', '-12.34'), alike('3.4000', '3.40')],
  },
};
const EVERY = 'start-date=0&end-date=1798761600';

async function serviceOf(banks: unknown): Promise<{ service: TestService; close: () => Promise<void> }> {
  const directory = await scratchDirectory();
  const file = join(directory, 'bank.json');
  writeFileSync(file, JSON.stringify(banks));
  const service = await startService({ SANDBOX_DATA: file });
  const close = async () => {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { service, close };
}

function bankOfCurrencies(): unknown {
  const day = new Date(Date.now() - 3 * DAY * 1000).toISOString();
  const accounts = Object.entries(ACCOUNTS).map(([currency, { balance, rows }]) => ({
    account: { accountId: currency, displayName: currency, productCategory: 'TRANS_AND_SAVINGS_ACCOUNTS' },
    balance: {
      accountId: currency,
      currency,
      currentBalance: balance.sent,
      availableBalance: balance.sent,
    },
    transactions: rows.map(({ sent }, index) => ({
      accountId: currency,
      transactionId: `${currency}-${index}`,
      status: 'POSTED',
      type: 'OTHER',
      amount: sent,
      currency,
      description: sent,
      postingDateTime: day,
      executionDateTime: day,
    })),
  }));
  const customers = [{ customerId: 'traveller', banking: { accounts } }];
  return { holders: [{ holderId: '77300', holder: { authenticated: { customers } } }] };
}

/** By currency: what is shown of the balance, the available balance and the rows by what the bank sent. */
function shown({ body }: { readonly body: Json }): Json {
  checkAccountSet(body);
  return Object.fromEntries(
    body.accounts.map((account: Json) => [
      account.currency,
      {
        balances: [account.balance, account['available-balance']],
        rows: Object.fromEntries(
          account.transactions.map(({ description, amount }: Json) => [description, amount]),
        ),
      },
    ]),
  );
}

function expected(form: 'exact' | 'twoDecimals'): Json {
  return Object.fromEntries(
    Object.entries(ACCOUNTS).map(([currency, { balance, rows }]) => [
      currency,
      {
        balances: [balance[form], balance[form]],
        rows: Object.fromEntries(rows.map((row) => [row.sent, row[form]])),
      },
    ]),
  );
}

describe('Amounts of the bridge', () => {
  let service: TestService;
  let close: () => Promise<void>;
  let owner: TestOwner;

  before(async () => {
    ({ service, close } = await serviceOf(bankOfCurrencies()));
    owner = await service.owner();
    await importedConnection(owner, await linkBank(owner, { customer: 'traveller', at: 'inst_fk_77300' }));
  });
  after(() => close());

  it('are what the bank says, with at least two decimals, unless the app is set to two', async () => {
    const app = await connectApp(service, owner);
    assert.equal((await app.app()).two_decimals, false);
    assert.deepEqual(shown(await app.accounts()), expected('exact'));
  });

  it('are rounded half away from zero to two decimals for an app whose setup token says so, from its first read on', async () => {
    const app = await connectApp(service, owner, 'Actual', { two_decimals: true });
    assert.equal((await app.app()).two_decimals, true);
    assert.deepEqual(shown(await app.accounts()), expected('twoDecimals'));
  });

  it('are in the form of the app that asks, however the apps of one owner take turns', async () => {
    const exact = await connectApp(service, owner, 'Sure');
    const rounded = await connectApp(service, owner, 'Actual', { two_decimals: true });
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(shown(await exact.accounts()), expected('exact'));
      assert.deepEqual(shown(await rounded.accounts()), expected('twoDecimals'));
    }
    const answers = await Promise.all([exact, rounded, rounded, exact].map((app) => app.accounts()));
    assert.deepEqual(
      answers.map(shown),
      (['exact', 'twoDecimals', 'twoDecimals', 'exact'] as const).map(expected),
    );
  });

  it('change their form with the app at once, and with no other app', async () => {
    const changed = await connectApp(service, owner);
    const other = await connectApp(service, owner);
    const path = `/v2/simplefin_apps/${(await changed.app()).id}`;
    for (const two_decimals of [true, false]) {
      await changed.accounts();
      const { status, body } = await owner.v2('POST', path, { two_decimals });
      assert.deepEqual([status, body.two_decimals, body.name], [200, two_decimals, 'budget app']);
      assert.deepEqual(
        shown(await changed.accounts()),
        expected(two_decimals ? 'twoDecimals' : 'exact'),
        'what was remembered of the app is forgotten',
      );
      assert.deepEqual(shown(await other.accounts()), expected('exact'));
    }
    await owner.v2('POST', path, { two_decimals: true });
    const renamed = await owner.v2('POST', path, { name: 'Actual at home' });
    assert.deepEqual([renamed.body.name, renamed.body.two_decimals], ['Actual at home', true]);
  });

  it('are cents to a budgeting server that deletes the point, where its app has two decimals', async () => {
    const day = (ago: number) => new Date(Date.now() - ago * DAY * 1000).toISOString().slice(0, 10);
    const { setup_token: text } = await newSetupToken(owner, 'Actual', { two_decimals: true });
    const client = await BudgetClient.claim(text);
    const listed = await client.list();
    const cents = (amount: string) => Number(new Big(amount).times(100));
    for (const { id, name, balanceCents } of listed) {
      const { balance, rows } = ACCOUNTS[name] ?? assert.fail(name);
      assert.equal(balanceCents, cents(balance.twoDecimals), name);
      const [synced] = await client.sync([id], day(10), day(-1));
      assert.deepEqual(
        synced?.rows.map((row) => row.cents).toSorted((a, b) => a - b),
        rows.map((row) => cents(row.twoDecimals)).toSorted((a, b) => a - b),
      );
    }
    const unset = await BudgetClient.claim((await newSetupToken(owner)).setup_token);
    await assert.rejects(unset.list(), /a point can be deleted only where two digits follow/);
  });

  it('are exact to an importer', async () => {
    const client = await ImportClient.claim((await newSetupToken(owner)).setup_token);
    const listed = await client.accounts();
    const dinar = listed.find(({ currency }) => currency === 'KWD') ?? assert.fail();
    assert.equal(dinar.balance, '1234.567');
    const now = Math.ceil(Date.now() / 1000);
    const rows = await client.rows(dinar.id, now - 20 * DAY, now);
    assert.deepEqual(
      rows.map(({ amount }) => amount).toSorted(),
      ACCOUNTS.KWD?.rows.map(({ exact }) => exact).toSorted(),
    );
  });
});

describe('Amounts of generated banks over the bridge', () => {
  it('are worth exactly what the bank’s file says, and its nearest hundredth with two decimals', async () => {
    const files = fc.sample(bankFile, 3);
    const holders = files
      .flatMap((file) => file.holders)
      .map((holder, index) => ({ ...holder, holderId: `7731${index}` }));
    const { service, close } = await serviceOf({ holders });
    try {
      for (const [index, { holder }] of holders.entries()) {
        const owner = await service.owner();
        const bank = { customer: 'generated', at: `inst_fk_7731${index}` };
        await importedConnection(owner, await linkBank(owner, bank));
        const filed = holder.authenticated.customers.flatMap(({ banking }) =>
          banking.accounts.flatMap((account: Json) => account.transactions.map((row: Json) => row.amount)),
        );
        const query = `${EVERY}&pending=1`;
        const exact = await (await connectApp(service, owner)).accounts(query);
        const rounded = await (await connectApp(service, owner, 'x', { two_decimals: true })).accounts(query);
        for (const { body } of [exact, rounded]) checkAccountSet(body);
        const texts = (amounts: readonly string[]) => amounts.map((one) => worth(one)).toSorted();
        assert.deepEqual(texts(rowsOf(exact).map(({ amount }) => amount)), texts(filed));
        assert.deepEqual(
          rowsOf(rounded)
            .map(({ amount }) => amount)
            .toSorted(),
          filed.map(nearest).toSorted(),
        );
      }
    } finally {
      await close();
    }
  });

  it('whatever the currency and however the bank writes them', () => {
    const decimal = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        fc.bigInt({ min: 0n, max: 9_000_000_000n }),
        fc.option(fc.stringMatching(/^\d{1,20}$/)),
        fc.constantFrom('', '0', '000'),
      )
      .map(
        ([sign, units, fraction, zeros]) =>
          `${sign}${zeros}${units}${fraction === null ? '' : `.${fraction}`}`,
      );
    const currency = fc.constantFrom('aud', 'kwd', 'bhd', 'jpy', 'clf');
    fc.assert(
      fc.property(decimal, currency, (text, code) => {
        const money = moneyFromDecimal(text, code);
        const exact = amountText(money, text, false);
        assert.match(exact, /^-?(?:0|[1-9]\d*)\.\d\d(?:\d*[1-9])?$/);
        assert.equal(worth(exact), worth(text));
        assert.ok(!/^-[0.]+$/.test(exact), 'nothing has no sign');
        assert.equal(amountText(money, text, true), nearest(text));
        const rounded = amountText(money, null, false);
        assert.deepEqual(
          moneyFromDecimal(rounded, code),
          money,
          'without a text, the amount in minor units counts',
        );
      }),
      { numRuns: 2000 },
    );
  });
});

/** A decimal in one spelling, whatever its zeros and its sign. */
function worth(text: string): string {
  const [, sign = '', units = '', fraction = ''] = /^([+-]?)0*(\d*?)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  const digits = `${units === '' ? '0' : units}.${fraction}`;
  return sign === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits;
}

/** By whole numbers only, half away from zero. */
function nearest(text: string): string {
  const [whole = '0', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const thousandths = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3));
  const digits = ((thousandths + 5n) / 10n).toString().padStart(3, '0');
  const shown = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return text.startsWith('-') && shown !== '0.00' ? `-${shown}` : shown;
}

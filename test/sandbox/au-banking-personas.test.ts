import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSONAS } from '../../sandbox/au-banking/personas/catalog.ts';
import { sumDecimals } from '../../sandbox/shared/decimal.ts';
import { DAY, list, NOW, record, withSimulator } from './visitor.ts';

type Row = Readonly<Record<string, unknown>>;
type Statement = {
  readonly accounts: readonly Row[];
  readonly balances: readonly Row[];
  readonly rows: readonly Row[];
};

async function statement(
  customer: string,
  options: { seed?: number; now?: number; institution?: string } = {},
): Promise<Statement> {
  const { seed = 1, now = NOW, institution = '88888' } = options;
  let result: Statement = { accounts: [], balances: [], rows: [] };
  await withSimulator({ seed, clock: { now: () => now } }, async (visitor) => {
    const user = await visitor.endUser();
    await visitor.link(user, { customer, institution });
    const without = ({ arrangement_id: _, ...rest }: Row): Row => rest;
    result = {
      accounts: list((await visitor.get(`/v1/banking/accounts?end_user_id=${user}`)).body, 'accounts').map(
        without,
      ),
      balances: list((await visitor.get(`/v1/banking/balances?end_user_id=${user}`)).body, 'balances').map(
        without,
      ),
      rows: (await visitor.rows(`end_user_id=${user}`)).map(without),
    };
  });
  return result;
}

test('the same seed and time give the same people to the last byte; another seed or bank gives others', async () => {
  const first = await statement('salaried-household');
  assert.deepEqual(await statement('salaried-household'), first);
  const otherSeed = await statement('salaried-household', { seed: 2 });
  const otherBank = await statement('salaried-household', { institution: '90001' });
  const ids = new Set(first.rows.map((row) => row.fiskil_id));
  for (const other of [otherSeed, otherBank]) assert.ok(!other.rows.some((row) => ids.has(row.fiskil_id)));
});

test('a sandbox started days later shows the same posted rows, plus what happened since', async () => {
  const before = await statement('salaried-household');
  const later = new Map(
    (await statement('salaried-household', { now: NOW + 5 * DAY })).rows.map((row) => [row.fiskil_id, row]),
  );
  for (const row of before.rows) if (row.status === 'POSTED') assert.deepEqual(later.get(row.fiskil_id), row);
  assert.ok(later.size > before.rows.length);
});

test('a household has two years of salary, rent, bills and groceries', async () => {
  const { accounts, rows } = await statement('salaried-household');
  assert.equal(accounts.length, 3);
  const count = (code: string): number =>
    rows.filter((row) => row.category !== null && record(row.category).secondary_category === code).length;
  assert.ok(
    count('INCOME_SALARY') >= 50 &&
      count('RENT_AND_UTILITIES_RENT') >= 100 &&
      count('FOOD_AND_DRINK_GROCERIES') > 250,
  );
  assert.ok(rows.some((row) => row.extended_data !== undefined));
  assert.ok(rows.some((row) => row.biller_code !== null) && rows.some((row) => row.apca_number !== null));
  assert.ok(
    rows.some((row) => String(row.posting_date_time).endsWith('+11:00')),
    'some rows are dated in local time',
  );
  const recent = rows.filter((row) => Date.parse(String(row.posting_date_time)) > NOW - 30 * DAY);
  assert.ok(recent.length > 20);
});

test('each persona has the accounts its name promises', async () => {
  const member = async (customer: string, name: string): Promise<unknown> =>
    (await statement(customer)).accounts.map((account) => account[name]).find((value) => value !== undefined);
  const loan = record(await member('mortgage-offset', 'loan'));
  const { accounts } = await statement('mortgage-offset');
  assert.deepEqual(
    loan.offset_account_ids,
    accounts
      .filter((account) => account.display_name === 'Offset Account')
      .map((account) => account.account_id),
  );
  assert.ok(record(await member('credit-card', 'credit_card')).payment_due_date);
  assert.ok(Array.isArray(await member('term-deposit', 'term_deposit')));
  assert.deepEqual((await statement('dormant')).rows, []);
  assert.equal((await statement('ten-thousand-rows')).rows.length, 10_000);
  const pending = (await statement('pending-heavy')).rows.filter((row) => row.status === 'PENDING');
  assert.ok(pending.length >= 15 && pending.some((row) => row.execution_date_time === null));
  const foreign = await statement('foreign-currency');
  assert.deepEqual(foreign.balances.map((balance) => balance.currency).sort(), ['JPY', 'USD']);
  const yen = foreign.rows.filter((row) => row.currency === 'JPY');
  assert.ok(yen.length > 0 && yen.every((row) => String(row.amount).endsWith('.00')), 'yen are whole');
});

test('every balance moves by exactly the rows posted in between', async () => {
  for (const { customer } of PERSONAS) {
    let clock = NOW;
    await withSimulator({ clock: { now: () => clock } }, async (visitor) => {
      const user = await visitor.endUser();
      await visitor.link(user, { customer });
      const balance = async (): Promise<string> =>
        sumDecimals(
          list((await visitor.get(`/v1/banking/balances?end_user_id=${user}`)).body, 'balances').map((row) =>
            String(row.current_balance),
          ),
        );
      const posted = async (): Promise<string> =>
        sumDecimals(
          (await visitor.rows(`end_user_id=${user}&status=POSTED`)).map((row) => String(row.amount)),
        );
      const [before, rowsBefore] = [await balance(), await posted()];
      clock += 45 * DAY;
      await visitor.authenticate();
      assert.equal(
        sumDecimals([await balance(), rowsBefore]),
        sumDecimals([before, await posted()]),
        customer,
      );
    });
  }
});

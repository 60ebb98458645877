import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays, localDate, localDateAt } from '../../../src/vocabulary/moments.ts';
import { comparePlaces, placeOf, type Transaction } from '../../../src/vocabulary/transactions.ts';
import { NOW } from '../../connectors/providers/au-banking-bank.ts';
import { all, EVER, type LinkedAccount, never, openGateway, type TestGateway } from './open-gateway.ts';

const CEILING = 300;
const today = localDateAt(NOW, 'Australia/Sydney');

describe('Transactions through the gateway', () => {
  let test: TestGateway;
  let account: LinkedAccount;
  let everything: Transaction[];

  before(async () => {
    test = await openGateway({ limits: { transaction_rows: CEILING } });
    const found = (await test.link('salaried-household')).find(
      ({ upstream }) => upstream.name === 'Everyday Account',
    );
    assert.ok(found);
    account = found;
    everything = await all(test.gateway.transactions.stream(account, { ...EVER, since: null }, never));
  });
  after(() => test.close());

  it('stream every row of the bank once, without a ceiling', () => {
    assert.equal(everything.length, test.bank.simulator.control.rowsAtBank(account.upstreamId));
    assert.ok(everything.length > CEILING);
    assert.equal(new Set(everything.map((row) => row.id)).size, everything.length);
  });

  it('stand newest first, by day, moment and id', async () => {
    const { value } = await test.gateway.transactions.list(
      account,
      { ...EVER, from: addDays(today, -60) },
      never,
    );
    const places = value.rows.map(placeOf);
    assert.deepEqual(places, places.toSorted(comparePlaces));
  });

  it('belong to a window by their own day in the zone of the account, both ends included', async () => {
    for (const [from, to] of [
      [addDays(today, -20), addDays(today, -10)],
      [addDays(today, -5), today],
      [addDays(today, -33), addDays(today, -33)],
      [localDate('2026-04-05'), localDate('2026-04-05')],
      [localDate('2026-10-04'), localDate('2026-10-05')],
    ] as const) {
      const { value } = await test.gateway.transactions.list(
        account,
        { from, to, includePending: true },
        never,
      );
      const expected = everything.filter((row) => {
        const day = row.date ?? today;
        return day >= from && day <= to;
      });
      assert.deepEqual(ids(value.rows), ids(expected), `${from} to ${to}`);
      assert.equal(value.truncated, false);
    }
  });

  it('find a purchase by its own day although the bank booked it days later', async () => {
    const instant = (day: string) => new Date(`${day}T12:00:00+10:00`).toISOString();
    const [bought, booked] = [localDate('2026-06-10'), localDate('2026-06-16')];
    const { control } = test.bank.simulator;
    control.appendTransactions(account.upstreamId, [
      {
        amount: '-77.70',
        description: 'Late booking',
        executedAt: instant(bought),
        postedAt: instant(booked),
      },
    ]);
    const { value } = await test.gateway.transactions.list(
      account,
      { from: bought, to: bought, includePending: false },
      never,
    );
    assert.ok(
      value.rows.some(
        (row) => row.description === 'Late booking' && row.date === bought && row.post_date === booked,
      ),
    );
  });

  it('say when the ceiling hides the oldest of them, and not at exactly the ceiling', async () => {
    const { value } = await test.gateway.transactions.list(account, EVER, never);
    assert.equal(value.rows.length, CEILING);
    assert.equal(value.truncated, true);
    const exact = await openGateway({ limits: { transaction_rows: 25 } });
    try {
      const [offset] = (await exact.link('salaried-household')).filter(
        ({ upstream }) => upstream.name === 'Offset Account',
      );
      assert.ok(offset);
      const read = await exact.gateway.transactions.list(offset, EVER, never);
      assert.deepEqual([read.value.rows.length, read.value.truncated], [25, false]);
    } finally {
      await exact.close();
    }
  });

  it('count a pending row without any date as of today, although the vendor hides it from dated questions', async () => {
    const { control } = test.bank.simulator;
    const undated = { amount: '-8.80', description: 'Undated', status: 'PENDING', executedAt: null } as const;
    control.appendTransactions(account.upstreamId, [undated]);
    const seen = async (from: string, to: string): Promise<boolean> => {
      const window = { from: localDate(from), to: localDate(to), includePending: true };
      const { value } = await test.gateway.transactions.list(account, window, never);
      return value.rows.some((row) => row.description === 'Undated' && row.date === null);
    };
    assert.equal(await seen(today, today), true);
    assert.equal(await seen(addDays(today, -1), addDays(today, 1)), true);
    assert.equal(await seen(addDays(today, -3), addDays(today, -1)), false);
    assert.equal(await seen(addDays(today, 1), addDays(today, 2)), false);
  });

  it('ask for no pending rows where none are wanted', async () => {
    const rows = await all(
      test.gateway.transactions.stream(account, { ...EVER, includePending: false, since: null }, never),
    );
    assert.ok(rows.every((row) => row.status === 'posted'));
  });

  it('stop being read when the reader stops', async () => {
    for await (const page of test.gateway.transactions.stream(account, { ...EVER, since: null }, never)) {
      assert.ok(page.length > 0);
      break;
    }
    assert.equal(test.clock.sleeping, 0);
  });
});

const ids = (rows: readonly Transaction[]): string[] => rows.map((row) => row.id).toSorted();

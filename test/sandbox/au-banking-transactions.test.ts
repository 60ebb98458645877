import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, handClock, list, NOW, nextOf, record, text, type Visitor, withSimulator } from './visitor.ts';

type Row = Readonly<Record<string, unknown>>;
const effective = (row: Row): number => {
  const time = row.posting_date_time ?? row.execution_date_time;
  return typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY;
};
const ids = (rows: readonly Row[]): readonly unknown[] => rows.map((row) => row.fiskil_id);

async function linked(visitor: Visitor, ...customers: readonly string[]): Promise<string> {
  const user = await visitor.endUser();
  for (const customer of customers) await visitor.link(user, { customer });
  return `end_user_id=${user}`;
}

test('rows of several accounts and banks come newest first, each once, whatever the page size', async () => {
  await withSimulator({}, async (visitor) => {
    const query = await linked(visitor, 'salaried-household', 'pending-heavy', 'rows:3000');
    const whole = await visitor.rows(query, 1000);
    assert.equal(new Set(ids(whole)).size, whole.length);
    assert.deepEqual(
      whole.map(effective),
      whole.map(effective).toSorted((a, b) => b - a),
    );
    assert.deepEqual(ids(await visitor.rows(query, 173)), ids(whole));
    assert.equal(whole.length, visitor.simulator.control.rowsAtBank());
  });
});

test('page size is silently capped at 1000, and links are absolute on this host and absent at the end', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const query = await linked(visitor, 'rows:1500');
    const first = (await visitor.get(`/v1/banking/transactions?${query}&page[size]=5000`)).body;
    assert.equal(list(first, 'transactions').length, 1000);
    const next = nextOf(first) ?? '';
    assert.ok(next.startsWith(`${simulator.url}/v1/banking/transactions?`));
    assert.ok(new URL(next).searchParams.get('page[after]'));
    const last = (await visitor.get(next)).body;
    assert.equal(list(last, 'transactions').length, 500);
    assert.equal(nextOf(last), null);
    assert.equal((await visitor.get(`/v1/banking/transactions?${query}&page[size]=0`)).status, 400);
  });
});

test('a cursor that was not issued here is answered 503', async () => {
  await withSimulator({}, async (visitor) => {
    const query = await linked(visitor, 'rows:300');
    const first = (await visitor.get(`/v1/banking/transactions?${query}`)).body;
    const cursor = new URL(nextOf(first) ?? '').searchParams.get('page[after]') ?? '';
    for (const bad of ['garbage', '', `${cursor}0`, `x${cursor}`]) {
      const path = `/v1/banking/transactions?${query}&page[after]=${encodeURIComponent(bad)}`;
      assert.equal((await visitor.get(path)).status, 503, bad);
    }
  });
});

test('rows that arrive while someone pages neither shift nor repeat what follows', async () => {
  await withSimulator({}, async (visitor, simulator) => {
    const query = await linked(visitor, 'ten-thousand-rows');
    const [account] = simulator.control.customers().flatMap((customer) => customer.accounts);
    const first = (await visitor.get(`/v1/banking/transactions?${query}&page[size]=10`)).body;
    simulator.control.appendTransactions(account?.accountId ?? '', [
      { amount: '-1.00', description: 'in between' },
    ]);
    const second = list((await visitor.get(nextOf(first) ?? '')).body, 'transactions');
    const references = [...list(first, 'transactions'), ...second].map((row) => row.reference);
    assert.deepEqual(
      references,
      Array.from({ length: 20 }, (_, index) => String(index)),
    );
  });
});

test('date filters want full instants, go by posting else execution time, are inclusive, and lose undated rows', async () => {
  await withSimulator({}, async (visitor) => {
    const query = await linked(visitor, 'pending-heavy');
    const bare = await visitor.get(`/v1/banking/transactions?${query}&from=2026-11-01`);
    assert.equal(bare.status, 400);
    assert.match(text(bare.body, 'message'), /RFC3339/);
    const whole = await visitor.rows(query);
    assert.ok(whole.some((row) => effective(row) === Number.POSITIVE_INFINITY));
    const from = NOW - 9 * DAY;
    const edge = whole.find((row) => effective(row) < from + DAY) ?? {};
    const to = String(edge.posting_date_time ?? edge.execution_date_time);
    const window = await visitor.rows(`${query}&from=${new Date(from).toISOString()}&to=${to}`);
    const wanted = whole.filter((row) => effective(row) >= from && effective(row) <= Date.parse(to));
    assert.ok(window.length > 0);
    assert.deepEqual(ids(window), ids(wanted));
    const offset = await visitor.rows(`${query}&from=${encodeURIComponent('2026-11-15T00:00:00+11:00')}`);
    assert.deepEqual(
      ids(offset),
      ids(
        whole.filter(
          (row) => Number.isFinite(effective(row)) && effective(row) >= Date.parse('2026-11-14T13:00:00Z'),
        ),
      ),
    );
  });
});

test('status, account and category filters select exactly the rows that carry them', async () => {
  await withSimulator({}, async (visitor) => {
    const query = await linked(visitor, 'pending-heavy', 'credit-card', 'rows:4000');
    const whole = await visitor.rows(query);
    const pending = await visitor.rows(`${query}&status=PENDING`);
    assert.ok(pending.length > 5);
    assert.deepEqual(ids(pending), ids(whole.filter((row) => row.status === 'PENDING')));
    const account = String(whole.at(-1)?.account_id);
    assert.deepEqual(
      ids(await visitor.rows(`${query}&account_id=${account}`)),
      ids(whole.filter((row) => row.account_id === account)),
    );
    const codes = ['FOOD_AND_DRINK_COFFEE', 'MEDICAL_PHARMACIES'];
    const filtered = await visitor.rows(
      `${query}&${codes.map((code) => `secondary_category=${code}`).join('&')}`,
      90,
    );
    const wanted = whole.filter(
      (row) => row.category !== null && codes.includes(text(row.category, 'secondary_category')),
    );
    assert.deepEqual(ids(filtered), ids(wanted));
    assert.equal((await visitor.get(`/v1/banking/transactions?${query}&status=HELD`)).status, 400);
  });
});

test('a corrected category is shown from then on, for held and for computed rows', async () => {
  await withSimulator({}, async (visitor) => {
    const query = await linked(visitor, 'credit-card', 'rows:100000');
    const whole = await visitor.rows(query);
    const picked = [
      whole.find((row) => row.reference === '77777'),
      whole.find((row) => text(row, 'description') === 'MONTHLY CARD FEE'),
    ];
    for (const row of picked) {
      const body = { fiskil_transaction_id: row?.fiskil_id, secondary_category: 'TRAVEL_LODGING' };
      assert.equal((await visitor.post('/v1/banking/transactions/category', body)).status, 200);
    }
    const after = await visitor.rows(`${query}&secondary_category=TRAVEL_LODGING`);
    for (const row of picked) {
      const found = after.find((candidate) => candidate.fiskil_id === row?.fiskil_id);
      assert.equal(record(found?.category).primary_category, 'TRAVEL');
    }
    const correct = (body: unknown): Promise<{ status: number }> =>
      visitor.post('/v1/banking/transactions/category', body);
    assert.equal(
      (await correct({ fiskil_transaction_id: 'bank_tx_0', secondary_category: 'TRAVEL_LODGING' })).status,
      404,
    );
    assert.equal(
      (await correct({ fiskil_transaction_id: 'bank_tx_0', secondary_category: 'FUN' })).status,
      400,
    );
  });
});

test('as the clock moves pending rows post under a new id, change, or vanish, and new rows appear', async () => {
  const clock = handClock();
  await withSimulator({ clock }, async (visitor) => {
    const query = await linked(visitor, 'pending-heavy');
    const since = new Date(NOW - 2 * DAY).toISOString();
    const read = async (): Promise<readonly Row[]> => [
      ...(await visitor.rows(`${query}&status=PENDING`)),
      ...(await visitor.rows(`${query}&status=POSTED&from=${since}`)),
    ];
    let before = await read();
    const fates = { posted: 0, vanished: 0, changed: 0, appeared: 0 };
    const key = (row: Row): string => `${row.description}|${row.merchant_name}|${row.reference}`;
    for (let day = 0; day < 40; day++) {
      clock.at += DAY / 3;
      await visitor.authenticate();
      const now = await read();
      const byId = new Map(now.map((row) => [row.fiskil_id, row]));
      const newlyPosted = now.filter(
        (row) => row.status === 'POSTED' && !before.some((old) => old.fiskil_id === row.fiskil_id),
      );
      for (const old of before) {
        const same = byId.get(old.fiskil_id);
        if (old.status === 'POSTED') assert.deepEqual(same, old, 'a posted row never changes');
        else if (same) {
          assert.equal(same.status, 'PENDING', 'a posted row has another id than its pending row');
          if (same.amount !== old.amount) fates.changed += 1;
        } else if (newlyPosted.some((row) => key(row) === key(old))) fates.posted += 1;
        else fates.vanished += 1;
      }
      fates.appeared += now.filter(
        (row) => row.status === 'PENDING' && !before.some((old) => old.fiskil_id === row.fiskil_id),
      ).length;
      before = now;
    }
    for (const [fate, count] of Object.entries(fates)) assert.ok(count > 0, fate);
  });
});

test('v1 shows the older shapes of extended data and products', async () => {
  await withSimulator({}, async (visitor) => {
    const query = await linked(visitor, 'salaried-household', 'credit-card');
    const salary = (rows: readonly Row[]): Row =>
      record(rows.find((row) => String(row.description).startsWith('SALARY'))?.extended_data);
    assert.ok(record(salary(await visitor.rows(query)).npp_payload).end_to_end_id);
    const fees = async (): Promise<Row> => {
      const accounts = list((await visitor.get(`/v1/banking/accounts?${query}`)).body, 'accounts');
      return (
        list(
          accounts.find((account) => account.display_name === 'Low Rate Card'),
          'fees',
        )[0] ?? {}
      );
    };
    assert.equal(record((await fees()).rate_based).rate, '0.03');
    visitor.version = 'v1';
    assert.equal(salary(await visitor.rows(query)).service, 'X2P1.01');
    assert.equal((await fees()).transaction_rate, '0.03');
  });
});

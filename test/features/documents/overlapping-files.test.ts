import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { okay } from '../../conformance/things.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { until } from '../linking/person.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';
import { CSV_LAYOUT, csvOf, ofxOf, type TestRow, upload, uploadAndTake } from './statements.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

async function shown(owner: TestOwner, account: string): Promise<readonly string[]> {
  const path = `/v2/transactions?account=${account}&from=2026-01-01&to=2026-12-31&limit=100`;
  const { data } = (await owner.v2('GET', path)).body;
  assert.equal(new Set(data.map(({ id }: Json) => id)).size, data.length);
  return data.map(contentOfRow).sort();
}

const contentOfRow = ({ date, amount: { amount }, description }: Json): string =>
  [date, amount, description].join(' ');
const contentOfTestRow = ({ date, amount, description }: TestRow): string =>
  [date, Math.round(Number(amount) * 100), description].join(' ');

/** A statement in the order of its days, in which many rows are equal, each with a reference of its own. */
const statement = fc
  .array(
    fc.record({
      day: fc.nat(3),
      amount: fc.constantFrom('-4.50', '12.00'),
      description: fc.constantFrom('Corner Coffee', 'Tea House'),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((rows) =>
    rows
      .toSorted((a, b) => a.day - b.day)
      .map(
        ({ day, amount, description }, at): TestRow => ({
          date: `2026-09-0${day + 1}`,
          amount,
          description,
          reference: `ref-${at}`,
        }),
      ),
  );
/** From one row or day to another, both included. */
const cut = (most: number) =>
  fc.tuple(fc.nat(most), fc.nat(most)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

describe('overlapping files of one account', () => {
  test('show every row once, however they were cut, in any order and repetition', async () => {
    await fc.assert(
      fc.asyncProperty(statement, fc.array(cut(9), { minLength: 1, maxLength: 4 }), async (rows, cuts) => {
        const owner = await service.owner();
        const covered = new Set<TestRow>();
        let account = '';
        for (const [from, to] of [...cuts, ...cuts.toReversed()]) {
          const part = rows.slice(from, to + 1);
          if (part.length === 0) continue;
          account = (await uploadAndTake(owner, 'part.ofx', ofxOf(part))).account;
          for (const row of part) covered.add(row);
        }
        if (account !== '')
          assert.deepEqual(await shown(owner, account), [...covered].map(contentOfTestRow).sort());
      }),
      { numRuns: 8 },
    );
  });

  test('show every row once without references as well, if they were cut between days', async () => {
    await fc.assert(
      fc.asyncProperty(statement, fc.array(cut(3), { minLength: 1, maxLength: 4 }), async (rows, cuts) => {
        const owner = await service.owner();
        const covered = new Set<TestRow>();
        let account: string | null = null;
        for (const [from, to] of [...cuts, ...cuts.toReversed()]) {
          const part = rows.filter(
            ({ date }) => date >= `2026-09-0${from + 1}` && date <= `2026-09-0${to + 1}`,
          );
          if (part.length === 0) continue;
          const more: object = account === null ? {} : { account };
          account = (await uploadAndTake(owner, 'part.csv', csvOf(part), { layout: CSV_LAYOUT, ...more }))
            .account;
          for (const row of part) covered.add(row);
        }
        if (account !== null)
          assert.deepEqual(await shown(owner, account), [...covered].map(contentOfTestRow).sort());
      }),
      { numRuns: 8 },
    );
  });

  test('arrive once at a destination, also those of older days that are taken later', async (t) => {
    const receiver = await new Receiver().open();
    t.after(() => receiver.close());
    const owner = await service.owner();
    const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const rows = Array.from(
      { length: 12 },
      (_, at): TestRow => ({
        date: day(60 - 4 * Math.floor(at / 2)),
        amount: '-4.50',
        description: 'Corner Coffee',
        reference: `ref-${at}`,
      }),
    );
    const { account } = await uploadAndTake(owner, 'b.ofx', ofxOf(rows.slice(5, 9)));
    const destination = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'books',
      target: { url: receiver.url },
    });
    receiver.secrets = [destination.body.config.signing_secret];
    const sync = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'All',
      destination: destination.body.id,
      accounts: [account],
      mapping_mode: 'bulk',
      options: { data_from: day(90) },
    });
    assert.equal(sync.status, 201, JSON.stringify(sync.body));
    const arrived = async (count: number): Promise<void> => {
      await until(
        async () => receiver.rows().size,
        (size) => size >= count,
      );
      assert.equal(receiver.rows().size, count);
    };
    await arrived(4);
    for (const [from, to, count] of [
      [0, 7, 9],
      [4, 12, 12],
      [0, 12, 12],
    ] as const) {
      await uploadAndTake(owner, 'more.ofx', ofxOf(rows.slice(from, to)));
      await arrived(count);
    }
    const listed = (await owner.v2('GET', `/v2/transactions?account=${account}&from=${day(90)}&limit=100`))
      .body;
    assert.deepEqual([...receiver.rows().keys()].sort(), listed.data.map(({ id }: Json) => id).sort());
    assert.ok([...receiver.newCounts().values()].every((count) => count === 1));
    assert.deepEqual(receiver.faults, []);
  });

  test('are not shown beside the live feed of the same account', async () => {
    const { importedConnection, linkBank } = await import('../linking/person.ts');
    const owner = await service.owner();
    const connection = await importedConnection(
      owner,
      await linkBank(owner, { customer: 'salaried-household' }),
    );
    const live = connection.accounts[0].id;
    const feed = (await owner.v2('GET', `/v2/transactions?account=${live}&limit=10`)).body.data;
    const posted = feed.filter(({ status }: Json) => status === 'posted').slice(0, 3);
    assert.ok(posted.length > 0);
    const rows = posted.map(
      ({ date, amount: { amount } }: Json, at: number): TestRow => ({
        date,
        amount: (amount / 100).toFixed(2),
        description: `As the file calls it ${at}`,
        reference: `f${at}`,
      }),
    );
    const old = {
      date: '2026-01-05',
      amount: '-7.77',
      description: 'Before the feed begins',
      reference: 'f9',
    };
    const file = await upload(owner, 'same.csv', csvOf([...rows, old]), {
      account: live,
      layout: CSV_LAYOUT,
    });
    const [statement] = (await owner.v2('GET', `/v2/documents/${file.id}/preview`)).body.statements;
    assert.deepEqual(
      [statement.account, statement.live_account, statement.live_rows, statement.new_rows],
      [null, live, rows.length, 1],
    );
    const taken = (await owner.v2('POST', `/v2/documents/${file.id}/take`)).body;
    const [part] = taken.parts;
    assert.deepEqual([part.rows, part.live_rows], [1, rows.length]);
    assert.deepEqual(await shown(owner, part.account), [contentOfTestRow(old)]);
  });

  test('are shown in full if the bank no longer returns the account, whatever days they have', async () => {
    const { importedConnection, linkBank } = await import('../linking/person.ts');
    const owner = await service.owner();
    const bank = sandboxBank(service.app);
    const before = new Set(bank.consents().map(({ arrangementId }) => arrangementId));
    const connection = await importedConnection(owner, await linkBank(owner, { customer: 'dormant' }));
    for (const { arrangementId, accountIds } of bank.consents()) {
      if (before.has(arrangementId)) continue;
      for (const account of accountIds) bank.setAccountState(account, 'GONE');
    }
    const days = ['1990-01-01', new Date().toISOString().slice(0, 10), '2999-12-31'];
    const rows = days.map((date, at) => ({
      date,
      amount: '-1.00',
      description: `Row ${at}`,
      reference: `r${at}`,
    }));
    const account = connection.accounts[0].id;
    for (const some of [rows, rows.slice(0, 1), rows.slice(2)]) {
      const { id } = await upload(owner, 'closed.csv', csvOf(some), { account, layout: CSV_LAYOUT });
      const preview = okay(await owner.v2('GET', `/v2/documents/${id}/preview`)).body;
      assert.deepEqual([preview.statements[0].new_rows, preview.statements[0].live_rows], [some.length, 0]);
    }
  });
});

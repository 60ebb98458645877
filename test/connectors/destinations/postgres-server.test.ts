import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { DestinationRow } from '../../../src/storage/destinations.ts';
import { pending, posted } from '../../features/sync-engine/support/bank.ts';
import { closeDatabase, World } from '../../features/sync-engine/support/world.ts';
import { SOME_KEY } from '../../support/actors.ts';
import { chunkWith, RealServer } from './postgres/real-server.ts';
import { linkedDestination, syncTo } from './support/linked-world.ts';

const NO_SIGNAL = new AbortController().signal;
const HOUR_MS = 3_600_000;
const TARGET = { schema: 'money', table: 'bank' };

describe('a database server', { skip: process.env.DATABASE_URL === undefined }, () => {
  let server: RealServer;
  const ask = (sql: string) => server.ask(sql);
  const ids = async () =>
    (await ask('select tributary_id as id from money.bank order by 1')).map(({ id }) => id);

  before(async () => {
    server = await RealServer.open();
    await ask('create table money.bank (note text)');
  });
  after(closeDatabase);
  after(() => server.drop());

  test('has each row once through new, changed, posted, vanished and deleted rows and a resync', async () => {
    const world = await World.open({ connector: server.connector });
    const destination: DestinationRow = await linkedDestination(world, 'postgres', server.grant, TARGET);
    const account = world.account();
    const old = Array.from({ length: 2500 }, (_, at) => posted(at + 1, { day: 49 }));
    const [posts, vanishes] = [pending(1, { day: 48, cents: -500 }), pending(2, { day: 48, cents: -600 })];
    world.bank.accounts.set(account, [...old, posts, vanishes]);
    const sync = await syncTo(world, destination, [account], { options: { include_pending: true } });
    const run = () => {
      world.clock.advance(HOUR_MS);
      return world.run(sync);
    };
    assert.equal((await run()).added, 2502);
    const settled = posted(5000, { day: 49, cents: -500 });
    const changed = posted(7, { day: 49, cents: 12_345, description: 'corrected' });
    const rows = [
      ...old.map((row) => (row.id === changed.id ? changed : row)),
      settled,
      posted(6000, { day: 49 }),
    ];
    world.bank.accounts.set(account, rows);
    await ask(`delete from money.bank where transaction_id = '${posted(9).id}'`);
    const second = await run();
    assert.deepEqual([second.status, second.added], ['succeeded', 1]);
    const without = rows.map(({ id }) => id).filter((id) => id !== posted(9).id);
    assert.deepEqual(await ids(), without.toSorted());
    const [shown] = await ask(
      `select amount::text, description from money.bank where transaction_id = '${changed.id}'`,
    );
    assert.deepEqual(shown, { amount: '123.45', description: 'corrected' });
    await world.runs.resync(world.owner.id, sync.row.id, SOME_KEY);
    const third = await run();
    assert.deepEqual([third.status, third.added], ['succeeded', 1]);
    assert.deepEqual(await ids(), rows.map(({ id }) => id).toSorted());
    await world.close();
  });

  test('takes one chunk once, also when two processes write it at the same time', async () => {
    await ask('create table money.twice ()');
    const chunk = (eventId: string, amount: string) =>
      chunkWith(
        eventId,
        Array.from({ length: 500 }, (_, at) => ({ transaction_id: `row ${at}`, amount })),
      );
    const [one, two] = [await server.writerTo('twice'), await server.writerTo('twice')];
    await one.write(chunk('first', '1'), NO_SIGNAL);
    const both = await Promise.all([one, two].map((writer) => writer.write(chunk('second', '2'), NO_SIGNAL)));
    for (const { existed } of both) {
      assert.deepEqual([existed.size, new Set(existed.values())], [500, new Set(['updated'])]);
    }
    assert.deepEqual(await ask('select count(*)::int as rows, sum(amount)::text as sum from money.twice'), [
      { rows: 500, sum: '1000' },
    ]);
    await Promise.all([one, two].map((writer) => writer.close()));
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { DestinationFailure } from '../../../src/connectors/destinations/destination-failure.ts';
import type { DatabaseWaits } from '../../../src/connectors/destinations/postgres/client.ts';
import { chunkWith, connectorWith, RealServer } from './postgres/real-server.ts';
import { accessTo } from './postgres/scene.ts';

const NO_SIGNAL = new AbortController().signal;

describe('a database that others use at the same time', {
  skip: process.env.DATABASE_URL === undefined,
}, () => {
  let server: RealServer;
  before(async () => {
    server = await RealServer.open();
  });
  after(() => server.drop());

  test('makes one table of marks when two syncs write to a schema for the first time at once', async (t) => {
    await server.ask('create schema fresh; create table fresh.bank ()');
    await using other = await server.connected();
    await other.query(
      'begin; create table fresh.tributary_chunks (event_id text primary key, sync text not null, outcome text, written_at timestamptz not null default now())',
    );
    const writer = await server.writerTo('bank', server.connector, 'fresh');
    const written = writer.write(
      chunkWith('first of two', [{ transaction_id: 'a', amount: '1' }]),
      NO_SIGNAL,
    );
    await server.untilBlocked(t.signal);
    await other.query('commit');
    assert.deepEqual((await written).rejected, []);
    await writer.close();
  });

  test('gives a new table another name when one of its name is made at the same time', async (t) => {
    await using other = await server.connected();
    await other.query('begin; create table money.racing ()');
    const created = server.connector.create?.(
      accessTo(server.grant),
      {
        ...{ key: 'race', again: false, name: 'Racing', parent: 'money', target: null },
        ...{ type: 'trades', mappingMode: 'bulk', accounts: [] },
      },
      NO_SIGNAL,
    );
    await server.untilBlocked(t.signal);
    await other.query('commit');
    assert.deepEqual((await created)?.target, { schema: 'money', table: 'racing_2' });
  });

  test('gives a lock that someone holds, a statement and a transaction up after their bounds', async (t) => {
    await server.ask(`create table money.held ();
      create function money.nap() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$`);
    const rows = [{ transaction_id: 'a', amount: '1' }];
    const first = await server.writerTo('held');
    await first.write(chunkWith('held 1', rows), NO_SIGNAL);
    await first.close();
    const failsIn = async (waits: Partial<DatabaseWaits>, reason: RegExp) => {
      const writer = await server.writerTo('held', connectorWith(waits));
      const written = writer.write(chunkWith('held 2', [{ transaction_id: 'b', amount: '1' }]), t.signal);
      await assert.rejects(written, (error) => {
        assert.ok(error instanceof DestinationFailure);
        assert.deepEqual([error.code, error.retryable, error.outcome], ['timeout', true, 'refused']);
        assert.match(error.message, reason);
        return true;
      });
      await writer.close();
    };
    {
      await using other = await server.connected();
      await other.query('begin; lock table money.held in exclusive mode');
      await failsIn({ lockMs: 100 }, /55P03/);
    }
    await server.ask(
      'create trigger nap before insert on money.held for each row execute function money.nap()',
    );
    await failsIn({ statementMs: 500 }, /57014/);
    // The server ends what no one waits for.
    await failsIn({ transactionMs: 1_000, statementMs: 2_000 }, /in time/);
    await server.ask('drop trigger nap on money.held');
    const last = await server.writerTo('held');
    assert.equal(
      (await last.write(chunkWith('held 2', [{ transaction_id: 'b', amount: '1' }]), NO_SIGNAL)).rejected
        .length,
      0,
    );
    await last.close();
    assert.deepEqual(await server.ask('select count(*)::int as rows from money.held'), [{ rows: 2 }]);
  });

  test('shows days, moments and amounts as they were sent, whatever the database is set to', async () => {
    const [named] = await server.ask('select current_database() as name');
    const database = pg.escapeIdentifier(String(named?.name));
    await server.ask(`create table money.abroad (date timestamptz, post_date timestamp, amount double precision);
      alter database ${database} set DateStyle = 'SQL, DMY';
      alter database ${database} set TimeZone = 'Pacific/Auckland';
      alter database ${database} set extra_float_digits = 0`);
    const sent = {
      transaction_id: 'a',
      date: '2026-02-03',
      post_date: '2026-04-05',
      amount: '1234567890123.45',
    };
    const writer = await server.writerTo('abroad');
    assert.deepEqual((await writer.write(chunkWith('abroad', [sent]), NO_SIGNAL)).rejected, []);
    const shown = writer.reading?.shown(JSON.stringify(sent));
    for await (const [row] of writer.reading?.rows(NO_SIGNAL) ?? []) assert.deepEqual(row?.values, shown);
    await writer.close();
    await server.ask(`alter database ${database} reset all`);
  });
});

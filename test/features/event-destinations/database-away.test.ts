import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '../../../src/storage/database.ts';
import { createServerDatabase } from '../../support/database.ts';
import { eventually } from '../../support/patience.ts';
import { startService } from '../../support/service.ts';
import { proxyTo } from '../../support/store-proxy.ts';
import { EventReceiver } from './support/event-receiver.ts';

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('a database that goes away while an event is delivered', { skip, timeout: 300_000 }, () => {
  test('gets the result once it is back: the event is not sent twice, and the receiver does not wait for the lease', async (t) => {
    const server = await createServerDatabase();
    assert.ok(server !== null);
    const proxy = await proxyTo(server.url);
    const receiver = await EventReceiver.open();
    const service = await startService({ DATABASE_URL: proxy.url, OUTBOUND_ALLOW: '127.0.0.0/8' });
    const direct = await openDatabase({ kind: 'postgres', url: server.url });
    t.after(async () => {
      await service.close();
      await direct.close();
      proxy.close();
      await receiver[Symbol.asyncDispose]();
      await server.drop();
    });
    const owner = await service.owner();
    const made = await owner.v2('POST', '/v2/event_destinations', {
      name: 'r',
      enabled_events: ['*'],
      webhook_endpoint: { url: receiver.url },
    });
    receiver.behave = () => {
      void proxy.refuse();
      return { status: 204 };
    };
    await owner.v2('POST', `/v2/event_destinations/${made.body.id}/ping`);
    await eventually(() => receiver.bodies.length > 0);
    receiver.behave = () => ({ status: 204 });
    await pause(2_000);
    await proxy.accept();
    const isFree = async () => {
      const { rows } = await sql<{ lease_until: Date | null }>`
        select lease_until from event_destinations`.execute(direct.db);
      return rows.every(({ lease_until }) => lease_until === null);
    };
    assert.equal(await isFree(), false);
    await eventually(isFree);
    const { rows } = await sql<{
      status: string;
    }>`select case when attempts is null then 'pending' else 'succeeded' end as status from event_batches`.execute(
      direct.db,
    );
    assert.deepEqual(rows, [{ status: 'succeeded' }]);
    assert.equal(receiver.bodies.length, 1);
  });
});

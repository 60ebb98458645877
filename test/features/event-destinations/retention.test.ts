import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { startService, type TestOwner, v2Client } from '../../support/service.ts';
import { until } from '../linking/person.ts';

/** Ids of the events that the owner can list. */
async function listed(owner: TestOwner): Promise<readonly string[]> {
  const { body } = await owner.v2('GET', '/v2/events?limit=100');
  return body.data.map(({ id }: { readonly id: string }) => id);
}

async function rotate(owner: TestOwner): Promise<void> {
  const key = await owner.v2('POST', '/v2/api_keys', { name: 'short', scopes: ['data:read'] });
  assert.equal((await owner.v2('POST', `/v2/api_keys/${key.body.id}/rotate`)).status, 201);
}

test('a service deletes events and their deliveries after 30 days, and younger ones stay [limit event_days]', async (t) => {
  let service = await startService();
  t.after(() => service.close());
  const owner = await service.owner();
  const destination = await owner.v2('POST', '/v2/event_destinations', {
    name: 'Receiver',
    webhook_endpoint: { url: 'http://127.0.0.1:9/events' },
    enabled_events: ['*'],
  });
  assert.equal(destination.status, 200);
  await rotate(owner);
  await rotate(owner);
  await until(
    () => listed(owner),
    (ids) => ids.length === 2,
  );
  const { db } = service.app.database;
  const deliveries = async (): Promise<number> => {
    const { rows } = await sql`select 1 from event_deliveries`.execute(service.app.database.db);
    return rows.length;
  };
  await until(deliveries, (count) => count === 2);
  await sql`
    update events set created = created - interval '30 days 1 hour'
    where id = (select min(id::text)::uuid from events)`.execute(db);
  const [young] = await listed(owner);
  service = await service.restart();
  const again = { ...owner, v2: v2Client(service.url, owner.key) };
  assert.deepEqual(
    await until(
      () => listed(again),
      (ids) => ids.length === 1,
    ),
    [young],
  );
  assert.equal(await deliveries(), 1);
});

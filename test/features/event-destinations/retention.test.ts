import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { startService } from '../../support/service.ts';
import { v2Client } from '../../support/v2-client.ts';
import { until } from '../linking/person.ts';
import { EventReceiver } from './support/event-receiver.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('the scheduler deletes events and their deliveries after 30 days, and younger ones stay [limit event_days]', async (t) => {
  const clock = new ShiftedClock();
  const receiver = await EventReceiver.open();
  let service = await startService({}, { clock });
  t.after(async () => {
    await service.close();
    await receiver[Symbol.asyncDispose]();
  });
  const { key, ...owner } = await service.owner();
  let { v2 } = owner;
  const created = await v2('POST', '/v2/event_destinations', {
    name: 'Receiver',
    webhook_endpoint: { url: receiver.url },
    enabled_events: ['*'],
  });
  assert.equal(created.status, 200);

  const ping = async (): Promise<string> => {
    const { body } = await v2('POST', `/v2/event_destinations/${created.body.id}/ping`);
    await until(
      () => v2('GET', `/v2/events/${body.id}/deliveries`),
      (answer) => answer.body.data[0]?.status === 'succeeded',
    );
    return body.id;
  };
  const listed = async (): Promise<readonly string[]> =>
    (await v2('GET', '/v2/events')).body.data.map(({ id }: { readonly id: string }) => id);
  const deliveries = async (): Promise<number> =>
    (await sql`select 1 from event_batches`.execute(service.app.database.db)).rows.length;
  const restarted = async (): Promise<void> => {
    service = await service.restart();
    v2 = v2Client(service.url, key);
  };

  const old = await ping();
  clock.advance(29 * DAY_MS + 12 * HOUR_MS);
  const young = await ping();
  clock.advance(13 * HOUR_MS);
  assert.deepEqual(await listed(), [young, old]);
  assert.equal(await deliveries(), 2);

  await restarted();
  await until(listed, (ids) => !ids.includes(old));
  assert.deepEqual(await listed(), [young]);
  assert.equal(await deliveries(), 1);
  assert.equal((await v2('GET', `/v2/events/${old}`)).status, 404);
  assert.equal((await v2('GET', `/v2/events/${old}/deliveries`)).status, 404);
});

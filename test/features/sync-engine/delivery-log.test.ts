import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { attemptsOf, type ListedDelivery } from '../../../src/storage/webhook-deliveries.ts';
import { posted } from './support/bank.ts';
import { runAndDie } from './support/death.ts';
import { closeDatabase, World, type WorldOptions } from './support/world.ts';

after(closeDatabase);

const ALL = { limit: 100, after: null, before: null };

async function prepared(rows: number, options: WorldOptions = {}) {
  const world = await World.open(options);
  const account = world.account();
  world.bank.accounts.set(
    account,
    Array.from({ length: rows }, (_, index) => posted(rows - index)),
  );
  return { world, account, sync: await world.sync([account]) };
}

async function logged(world: World, sync: Sync): Promise<readonly ListedDelivery[]> {
  return (await world.replays().deliveries(world.owner.id, sync.row.destination, ALL)).items;
}

describe('the log of deliveries', () => {
  test('has each event with its run, counts and attempts, newest first, and nothing of a row but ids and days', async () => {
    const { world, sync } = await prepared(501);
    const run = await world.run(sync);
    const deliveries = await logged(world, sync);
    assert.deepEqual(
      deliveries.map((one) => [one.event_id, one.run, one.kind, one.status, one.new_count, one.attempts]),
      world.receiver.events
        .map(({ id, data }) => [id, run.id, 'transactions.synced', 'succeeded', data.new.length, 1])
        .reverse(),
    );
    for (const { log } of deliveries) {
      const [attempt] = attemptsOf(log);
      assert.deepEqual([attempt?.status, attempt?.failure, attempt?.answer], [204, null, null]);
      assert.ok((attempt?.durationMs ?? -1) >= 0);
    }
    const { rows } = await sql<{ text: string }>`
      select encode(rows, 'escape') || log::text as text from webhook_deliveries
      where destination = ${sync.row.destination}`.execute(world.database.db);
    assert.equal(rows.length, 2);
    for (const { text } of rows) assert.doesNotMatch(text, /row \d|FOOD|aud/);
    await world.close();
  });

  test('has a clipped answer of a refusal, the retries of a failure, and adds what the next run sends under the same id', async () => {
    const { world, sync } = await prepared(2, { delaysMs: [1, 1] });
    world.receiver.behave = (request) => (request < 3 ? { status: 500 } : 'ok');
    const run = world.run(sync);
    // Retries wait by the clock of the service.
    const ticking = setInterval(() => void world.clock.advance(1_000), 5);
    const failed = await run.finally(() => clearInterval(ticking));
    assert.equal(failed.status, 'failed');
    const [before, ...others] = await logged(world, sync);
    assert.deepEqual([others.length, before?.status, before?.attempts], [0, 'failed', 3]);
    assert.deepEqual(
      attemptsOf(before?.log).map(({ status, answer }) => [status, answer]),
      Array.from({ length: 3 }, () => [500, '{"never":"read"}']),
    );
    assert.equal((await world.run(sync)).status, 'succeeded');
    const [afterwards, ...more] = await logged(world, sync);
    assert.equal(more.length, 0);
    assert.deepEqual(
      [afterwards?.id, afterwards?.event_id, afterwards?.status, afterwards?.attempts],
      [before?.id, before?.event_id, 'succeeded', 4],
    );
    assert.deepEqual(
      attemptsOf(afterwards?.log).map(({ status }) => status),
      [500, 500, 500, 204],
    );
    await world.close();
  });

  test('keeps the latest deliveries of a destination and deletes older ones [limit webhook_deliveries]', async () => {
    const { world, account, sync } = await prepared(1, { limits: { webhook_deliveries: 2 } });
    await world.run(sync);
    for (const number of [2, 3]) {
      world.bank.accounts.get(account)?.unshift(posted(number, { day: 48 }));
      await world.run(sync);
    }
    const ids = world.receiver.events.map(({ id }) => id);
    assert.equal(ids.length, 3);
    assert.deepEqual(
      (await logged(world, sync)).map((one) => one.event_id),
      ids.slice(1).reverse(),
    );
    const stored = await world.database.db
      .selectFrom('webhook_deliveries')
      .select('event_id')
      .where('destination', '=', sync.row.destination)
      .execute();
    assert.equal(stored.length, 2);
    await world.close();
  });

  test('that cannot be written fails no run', async () => {
    const { world, sync } = await prepared(501);
    const { db } = world.database;
    await sql`alter table webhook_deliveries add constraint broken check (false) not valid`.execute(db);
    try {
      assert.equal((await world.run(sync)).status, 'succeeded');
    } finally {
      await sql`alter table webhook_deliveries drop constraint broken`.execute(db);
    }
    assert.equal(world.receiver.newCounts().size, 501);
    assert.deepEqual(await logged(world, sync), []);
    await world.close();
  });

  test('is right after a death before any statement: what was recorded as delivered is in it, and nothing that was not sent', {
    timeout: 600_000,
  }, async () => {
    let deaths = 0;
    for (let statement = 1; ; statement++) {
      const { world, sync } = await prepared(501);
      const died = await runAndDie(world, sync, statement);
      const sent = new Set(world.receiver.requests.map(({ event }) => event.id));
      const early = await logged(world, sync);
      assert.ok(early.every(({ event_id }) => sent.has(event_id)));
      const run = await world.run(sync);
      assert.equal(run.status, 'succeeded');
      const deliveries = await logged(world, sync);
      assert.deepEqual(
        deliveries.map((one) => one.event_id).sort(),
        world.receiver.events.map(({ id }) => id).sort(),
      );
      for (const one of deliveries) {
        const requests = world.receiver.requests.filter(({ event }) => event.id === one.event_id);
        assert.equal(one.status, 'succeeded');
        assert.ok(one.attempts >= 1 && one.attempts <= requests.length, 'an attempt that was not made');
      }
      await world.close();
      if (!died) break;
      deaths += 1;
    }
    assert.ok(deaths > 15, `only ${deaths} statements were tried`);
  });
});

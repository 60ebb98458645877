import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  DeliveryStreak,
  type EndedAttempt,
} from '../../../src/features/event-destinations/delivery-streak.ts';
import { closeEventDatabase, EventWorld } from './support/event-world.ts';

after(closeEventDatabase);

const NOW = 1_795_000_000_000;
const NONE = { failures: 0, failing_since: null, failed_at: null } as const;
const HOUR_MS = 3_600_000;
const attempt = { at: NOW, durationMs: 1, status: 200, failure: null, answer: null, gone: false } as const;
const delivered: EndedAttempt = { ...attempt, delivered: true, waitMs: null };
const failed: EndedAttempt = { ...attempt, status: 500, delivered: false, waitMs: null };
const waits = (waitMs: number): EndedAttempt => ({ ...failed, status: 429, waitMs });

describe('a receiver that asks us to wait while several events are on their way', () => {
  for (const [name, later] of [
    ['an event that arrives', delivered],
    ['an event that fails', failed],
    ['a shorter wait', waits(1000)],
  ] as const) {
    test(`is left alone for the whole time, whatever answer comes after: ${name}`, () => {
      const streak = new DeliveryStreak(NONE);
      for (const one of [waits(HOUR_MS), later]) streak.count(one, NOW);
      assert.equal(streak.isBroken, true);
      assert.equal(streak.change(NOW, Math.random).resume_at?.getTime(), NOW + HOUR_MS);
    });
  }

  test('counts as failing no longer once an event arrives', () => {
    const streak = new DeliveryStreak(NONE);
    for (const one of [waits(HOUR_MS), delivered]) streak.count(one, NOW);
    const change = streak.change(NOW, Math.random);
    assert.deepEqual(change, { ...NONE, resume_at: new Date(NOW + HOUR_MS) });
  });
});

test('what arrived beside an event that an error of ours kept from being sent is not sent again', async () => {
  await using world = await EventWorld.open();
  const { receiver } = await world.subscribed();
  const ids = [await world.happens(), await world.happens(), await world.happens()];
  const { request } = world.http;
  let calls = 0;
  world.http.request = async (call) => {
    calls += 1;
    if (calls === 2) throw new TypeError('nobody expected this');
    return request.call(world.http, call);
  };
  await world.deliver();
  assert.equal(receiver.bodies.length, 2);
  world.http.request = request;
  world.clock.advance(HOUR_MS);
  await world.deliver();
  assert.deepEqual(new Set(receiver.ids), new Set(ids));
  assert.equal(receiver.bodies.length, 3);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cooldowns } from '../../../src/features/provider-gateway/call-guards.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { memoryPauses, turnsOn } from './open-gateway.ts';

const HOUR = 3_600_000;

/** A clock that an operator, or a time server, can set back. */
function settable() {
  let at = Date.parse('2026-11-20T06:00:00Z');
  return {
    clock: { now: () => at, sleep: systemClock.sleep },
    set: (ms: number) => {
      at += ms;
    },
  };
}

const newId = () => newRowId(systemClock);

test('a clock set back keeps no turn and no answer for longer than they last', async () => {
  const { clock, set } = settable();
  const cache = new MemoryCache(clock, { bytes: 10_000, ownerBytes: 10_000 });
  const turns = turnsOn(clock);
  const at = { connection: rowId('connection', newId()), key: 'transactions' };
  const value = { rows: [], truncated: false, setAside: { count: 0, rows: [] } };
  const { generation } = cache.look(at);
  const entry = { kind: 'transactions', value, observedAt: clock.now(), live: false } as const;
  cache.set({ at, owner: rowId('account_record', newId()), entry, ttlMs: HOUR, generation });
  assert.equal(await turns.take('balance', HOUR), 0);
  assert.ok(cache.look(at).entry);
  set(-5 * HOUR);
  assert.equal(await turns.take('balance', HOUR), 0);
  assert.equal(cache.look(at).entry, null);
  assert.equal(cache.bytes, 0);
});

test('a clock set back leaves an account alone no longer than its provider asked', async () => {
  const { clock, set } = settable();
  const cooldowns = new Cooldowns({ clock, log: createLog({ level: 'silent' }), pauses: memoryPauses() });
  const read = {
    owner: rowId('account_record', newId()),
    account: rowId('account', newId()),
    what: 'balance',
  } as const;
  await cooldowns.learn(read, new UpstreamFailure('rate_limited', 'Too many.', { retryAfterSeconds: 60 }));
  await assert.rejects(cooldowns.require(read), { situation: 'account_cooldown' });
  set(-5 * HOUR);
  await cooldowns.require(read);
});

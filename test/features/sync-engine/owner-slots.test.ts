import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OwnerSlots } from '../../../src/features/sync-engine/run/beside-runs.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';

const START = Date.UTC(2026, 10, 1);
const PATIENCE_MS = 60_000;

function slotsOf(count: number) {
  const clock = new SimulatedClock(START);
  const owner = () => rowId('account_record', newRowId(clock));
  return { clock, owner, slots: new OwnerSlots(clock, count, PATIENCE_MS) };
}

describe('the slots of verifications', () => {
  test('keep no place for account records that verify without a pause when another has asked', () => {
    const { owner, slots } = slotsOf(2);
    const [greedy, likewise, late] = [owner(), owner(), owner()];
    const end = slots.take(greedy);
    assert.ok(slots.take(likewise));
    assert.equal(slots.take(late), null);
    end?.();
    assert.equal(slots.take(greedy), null, 'it comes after the one that was refused');
    const done = slots.take(late);
    assert.ok(done);
    done();
    assert.ok(slots.take(greedy));
  });

  test('serve those who were refused in their order', () => {
    const { owner, slots } = slotsOf(1);
    const [first, second, third] = [owner(), owner(), owner()];
    const end = slots.take(first);
    assert.equal(slots.take(second), null);
    assert.equal(slots.take(third), null);
    end?.();
    assert.equal(slots.take(third), null);
    assert.ok(slots.take(second));
  });

  test('are not kept for one who does not ask again', () => {
    const { clock, owner, slots } = slotsOf(1);
    const [first, gone, next] = [owner(), owner(), owner()];
    const end = slots.take(first);
    assert.equal(slots.take(gone), null);
    end?.();
    clock.advance(PATIENCE_MS);
    assert.equal(slots.take(next), null);
    clock.advance(1);
    assert.ok(slots.take(next));
  });

  test('are one for each account record', () => {
    const { owner, slots } = slotsOf(3);
    const greedy = owner();
    assert.ok(slots.take(greedy));
    assert.equal(slots.take(greedy), null);
    assert.ok(slots.take(owner()));
  });
});

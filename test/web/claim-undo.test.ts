import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClaimedCodes, undoOf } from '../../web/src/api/claim-undo.ts';

const claims = (all: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(all).map(([id, sources]) => ({ id, sources: [...sources] }));

/** A claim by which `food` took COFFEE from no one and BARS from `fun`, and released MILK. */
const CLAIM: ClaimedCodes = {
  category: 'food',
  added: new Map<string | null, readonly string[]>([
    [null, ['COFFEE']],
    ['fun', ['BARS']],
  ]),
  removed: ['MILK'],
};

test('undoing a claim gives each code back to the category that claimed it before, and keeps what was claimed since', () => {
  const now = claims({ food: ['BREAD', 'COFFEE', 'BARS', 'SINCE'], fun: ['FILMS', 'SINCE_TOO'] });
  assert.deepEqual(undoOf(CLAIM, now), {
    writes: claims({ fun: ['FILMS', 'SINCE_TOO', 'BARS'], food: ['BREAD', 'SINCE', 'MILK'] }),
    left: [],
  });
});

test('undoing a claim leaves codes that were claimed elsewhere since, or whose category is deleted, and says so', () => {
  const moved = claims({ food: ['BREAD', 'BARS'], fun: [], drinks: ['COFFEE', 'MILK'] });
  assert.deepEqual(undoOf(CLAIM, moved), {
    writes: claims({ fun: ['BARS'] }),
    left: ['COFFEE', 'MILK'],
  });
  const deleted = claims({ food: ['COFFEE', 'BARS'] });
  assert.deepEqual(undoOf(CLAIM, deleted), { writes: claims({ food: ['BARS', 'MILK'] }), left: ['BARS'] });
  assert.deepEqual(undoOf(CLAIM, claims({ other: ['COFFEE', 'BARS'], fun: [] })), {
    writes: [],
    left: ['COFFEE', 'BARS', 'MILK'],
  });
});

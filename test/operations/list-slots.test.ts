import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CategoryTexts } from '../../src/operations/category-texts.ts';
import { ListSlots } from '../../src/operations/list-slots.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { rowId } from '../../src/vocabulary/ids.ts';

const clock = { now: () => Date.parse('2026-11-01T00:00:00Z'), sleep: async () => undefined };
const owner = () => rowId('account_record', newRowId(clock));
const { signal } = new AbortController();

test('so many lists of one process are read at a time, and each owner has a turn [limit lists_in_flight]', async () => {
  const slots = new ListSlots({ lists_in_flight: 1, lists_waiting: 100 });
  const [greedy, other] = [owner(), owner()];
  const done: string[] = [];
  let atOnce = 0;
  const list = (name: string) => async (): Promise<void> => {
    atOnce += 1;
    assert.equal(atOnce, 1);
    await turn();
    atOnce -= 1;
    done.push(name);
  };
  const asked = Array.from({ length: 20 }, () => slots.inTurn(greedy, signal, list('greedy')));
  await turn();
  await slots.inTurn(other, signal, list('other'));
  assert.ok(done.indexOf('other') <= 3, done.join());
  await Promise.all(asked);
  assert.equal(done.length, 21);
});

test('so many lists wait, half of them of one owner; a further one is refused with when to ask again [limit lists_waiting]', async () => {
  const slots = new ListSlots({ lists_in_flight: 1, lists_waiting: 4 });
  const one = owner();
  const release = Promise.withResolvers<void>();
  const waiting = [1, 2, 3].map(() => slots.inTurn(one, signal, () => release.promise));
  await turn();
  await assert.rejects(
    slots.inTurn(one, signal, async () => undefined),
    ({ code, retryAfterSeconds }) => code === 'rate_limit_exceeded' && retryAfterSeconds === 1,
  );
  release.resolve();
  await Promise.all(waiting);
});

test('a category tree is written once for each version, and one owner takes no more than a share of the memory', async () => {
  const texts = new CategoryTexts();
  const one = owner();
  let written = 0;
  const text = (version: number, length = 10, key = 'all') =>
    texts.text(one, version, key, async () => {
      written += 1;
      return 'x'.repeat(length);
    });
  await text(1);
  await text(1);
  assert.equal(written, 1);
  await text(2);
  assert.equal(written, 2);
  for (let key = 0; key < 20; key++) await text(3, 500_000, String(key));
  assert.ok(texts.characters <= 2_097_152, String(texts.characters));
});

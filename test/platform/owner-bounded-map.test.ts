import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OwnerBoundedMap } from '../../src/platform/owner-bounded-map.ts';
import { rowId } from '../../src/vocabulary/ids.ts';

const owner = (number: number) =>
  rowId('account_record', `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`);

describe('a map bounded by account record', () => {
  test('forgets only entries of an account record that has too many, the least recently set first', () => {
    const map = new OwnerBoundedMap<string, number>({ ofOwner: 3, total: 100 });
    map.set(owner(1), 'a', 1);
    for (let count = 0; count < 1_000; count++) map.set(owner(2), `${count}`, count);
    assert.equal(map.get(owner(1), 'a'), 1);
    assert.equal(map.get(owner(2), '996'), undefined);
    for (const count of [997, 998, 999]) assert.equal(map.get(owner(2), `${count}`), count);
    assert.equal(map.get(owner(2), 'a'), undefined, 'an entry of another account record');
    map.set(owner(2), '997', -1);
    map.set(owner(2), 'next', 0);
    assert.deepEqual([map.get(owner(2), '997'), map.get(owner(2), '998')], [-1, undefined]);
  });

  test('forgets those of the account record that has the most if there are too many of all together', () => {
    const map = new OwnerBoundedMap<string, number>({ ofOwner: 8, total: 10 });
    for (let count = 0; count < 8; count++) map.set(owner(1), `${count}`, count);
    for (let other = 10; other < 15; other++) map.set(owner(other), 'own', other);
    for (let other = 10; other < 15; other++) assert.equal(map.get(owner(other), 'own'), other);
    const left = Array.from({ length: 8 }, (_, count) => map.get(owner(1), `${count}`) !== undefined);
    assert.deepEqual(left, [false, false, false, true, true, true, true, true]);
  });

  test('has room again for what was deleted', () => {
    const map = new OwnerBoundedMap<string, number>({ ofOwner: 4, total: 4 });
    for (let count = 0; count < 4; count++) map.set(owner(1 + (count % 2)), `${count}`, count);
    map.deleteWhere((value) => value < 2);
    assert.deepEqual([map.get(owner(1), '0'), map.get(owner(2), '1')], [undefined, undefined]);
    map.set(owner(3), 'a', 1);
    map.set(owner(3), 'b', 2);
    assert.deepEqual([map.get(owner(1), '2'), map.get(owner(2), '3')], [2, 3]);
  });
});

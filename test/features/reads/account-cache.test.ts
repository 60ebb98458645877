import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AccountCache } from '../../../src/features/reads/account-cache.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import type { Notice } from '../../../src/storage/notices.ts';
import { type OwnerId, rowId } from '../../../src/vocabulary/ids.ts';

const uuid = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const owner = (number: number) => rowId('account_record', uuid(number));
const idOf = (number: number) => rowId('account', uuid(number));

function open() {
  const clock = new SimulatedClock(Date.UTC(2026, 0, 1));
  const listeners: ((notice: Notice) => void)[] = [];
  const losses: (() => void)[] = [];
  const cache = new AccountCache({
    clock,
    notices: {
      connected: true,
      onNotice: (listener) => void listeners.push(listener),
      onLost: (listener) => void losses.push(listener),
    },
  });
  return {
    cache,
    clock,
    tell: (notice: Notice) => {
      for (const listener of listeners) listener(notice);
    },
    lose: () => {
      for (const listener of losses) listener();
    },
    remember: (of: OwnerId, account: number, connection = 1) =>
      cache.remember(of, resolved(account, connection), cache.generation),
    knows: (of: OwnerId, account: number) => cache.recall(of, idOf(account)) !== null,
  };
}

function resolved(account: number, connection: number) {
  return {
    account: { name: 'Everyday' },
    gateway: {
      id: idOf(account),
      timezone: 'UTC',
      currency: 'nzd',
      connection: { id: rowId('connection', uuid(connection)), caching: true },
    },
  };
}

describe('what is remembered of an account', () => {
  test('survives an account record that reads any number of its own', () => {
    const { remember, knows } = open();
    const [other, greedy] = [owner(1), owner(2)];
    remember(other, 1);
    for (let account = 2; account < 30_000; account++) remember(greedy, account);
    assert.ok(knows(other, 1));
    assert.ok(knows(greedy, 29_999));
    assert.ok(!knows(greedy, 2), 'its own are bounded');
  });

  test('is known to its account record alone, and for five seconds', () => {
    const { remember, knows, clock } = open();
    remember(owner(1), 1);
    assert.deepEqual([knows(owner(1), 1), knows(owner(2), 1)], [true, false]);
    clock.advance(5_000);
    assert.ok(!knows(owner(1), 1));
  });

  test('is forgotten when its connection or account record changes, or notices may be missed', () => {
    const { remember, knows, tell, lose } = open();
    const fill = () => {
      remember(owner(1), 1, 11);
      remember(owner(1), 2, 12);
      remember(owner(2), 3, 13);
    };
    const known = () => [knows(owner(1), 1), knows(owner(1), 2), knows(owner(2), 3)];
    fill();
    tell({ kind: 'connection', id: uuid(11) });
    assert.deepEqual(known(), [false, true, true]);
    fill();
    tell({ kind: 'account_record', id: uuid(1) });
    assert.deepEqual(known(), [false, false, true]);
    fill();
    lose();
    assert.deepEqual(known(), [false, false, false]);
  });

  test('is not what was looked up before something was forgotten', () => {
    const { cache, tell, knows } = open();
    const { generation } = cache;
    tell({ kind: 'connection', id: uuid(99) });
    cache.remember(owner(1), resolved(1, 1), generation);
    assert.ok(!knows(owner(1), 1));
  });
});

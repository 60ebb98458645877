import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Repeats } from '../../../src/connectors/providers/kit/paging.ts';
import type { Provider } from '../../../src/connectors/providers/provider-contract.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { posted } from '../sync-engine/support/bank.ts';
import { never } from './open-gateway.ts';

const SHARED = 'txn_fk_shared';

function row(date: string, description: string, cents: number): Transaction {
  const day = localDate(date);
  const moments = { date: day, datetime: null, post_date: day, post_datetime: null };
  return { ...posted(1), ...moments, id: SHARED, description, amount: { amount: cents, currency: 'aud' } };
}

/** A bank that lists these rows, each page with one, as an adapter reads it. */
function bankOf(rows: readonly Transaction[]): Provider {
  return {
    identifier: 'au_banking',
    capabilities: new Set(['link', 'accounts', 'transactions']),
    redeemsOnce: false,
    beginLink: () => assert.fail(),
    completeLink: () => assert.fail(),
    withdraw: () => assert.fail(),
    listAccounts: async () => [],
    async *transactionPages(_access, { from, to }) {
      const repeats = new Repeats();
      for (const listed of rows) {
        const day = listed.date ?? assert.fail();
        const own = day >= from && day <= to ? repeats.unrepeated(listed) : null;
        if (own !== null) yield [own];
      }
    },
  };
}

test('two rows under one id are both read, under the same ids in every window once both were seen', async () => {
  const clock = new SimulatedClock(Date.parse('2026-06-30T00:00:00Z'));
  const noted = new Set<string>();
  const cache = new MemoryCache(clock, { bytes: 0, ownerBytes: 0 });
  const [rent, power] = [row('2026-03-02', 'Rent', -90_000), row('2026-06-20', 'Power', -12_345)];
  const gateway = new ProviderGateway({
    providers: new Map<ProviderIdentifier, Provider>([['au_banking', bankOf([power, rent, rent])]]),
    cache,
    limits: DEFAULT_LIMITS,
    clock,
    log: createLog({ level: 'silent' }),
    metrics: new Metrics(),
    sharedIds: { of: async () => noted, note: async (_owner, _account, id) => void noted.add(id) },
  });
  const account = {
    id: rowId('account', randomUUID()),
    upstreamId: 'a',
    type: 'transaction' as const,
    balanceSign: null,
    timezone: 'Australia/Sydney',
    currency: 'aud',
    connection: {
      id: rowId('connection', randomUUID()),
      owner: rowId('account_record', randomUUID()),
      provider: 'au_banking' as const,
      institution: 'A bank',
      grant: {
        consent: 'c',
        institution: 'i',
        customer: 'u',
        secret: { value: null, renew: () => assert.fail() },
      },
      caching: false,
    },
  };
  const read = async (from: string, to: string) => {
    const window = { from: localDate(from), to: localDate(to), includePending: false };
    const { value } = await gateway.transactions.list(account, window, never);
    return new Map(value.rows.map(({ id, description }) => [description, id]));
  };
  const both = await read('2026-01-01', '2026-06-30');
  assert.deepEqual([...both.keys()].toSorted(), ['Power', 'Rent']);
  assert.equal(new Set(both.values()).size, 2);
  assert.deepEqual(noted, new Set([SHARED]));
  assert.deepEqual([...(await read('2026-03-01', '2026-03-31'))], [['Rent', both.get('Rent')]]);
  assert.deepEqual([...(await read('2026-06-01', '2026-06-30'))], [['Power', both.get('Power')]]);
  assert.deepEqual([...(await read('2026-01-01', '2026-06-30'))].toSorted(), [...both].toSorted());
});

test('a read tells rows of one id apart as far as it remembers: with 2,499 others between them for certain', () => {
  const repeats = new Repeats();
  const others = repeats.certain - 1;
  assert.equal(others, 2_499, 'the number that docs/sync-engine.md names');
  assert.equal(repeats.unrepeated(row('2026-11-20', 'Rent', -100))?.id, SHARED);
  for (let at = 0; at < others; at++) assert.equal(repeats.isNew(`other ${at}`), true);
  const second = repeats.unrepeated(row('2026-11-20', 'Power', -200));
  assert.match(second?.id ?? '', /^txn_fk_shared~~[0-9a-f]{10}$/);
});

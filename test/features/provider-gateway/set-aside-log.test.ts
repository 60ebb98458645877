import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { UpstreamCalls } from '../../../src/features/provider-gateway/upstream-calls.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { openGateway } from './open-gateway.ts';

test('the first ten rows of a read that cannot be read are logged with id, day, field and reason', async (t) => {
  const bank = await openGateway();
  t.after(() => bank.close());
  const [account] = await bank.link('sole-trader');
  assert.ok(account);
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string): void => void lines.push(JSON.parse(line)) };
  const clock = new SimulatedClock(1_000_000);
  const calls = new UpstreamCalls({
    providers: new Map(),
    cache: new MemoryCache(clock, { bytes: 1000, ownerBytes: 1000 }),
    limits: DEFAULT_LIMITS,
    clock,
    log: createLog({ level: 'warn', destination }),
    metrics: new Metrics(),
  });
  const seen: string[] = [];
  const note = calls.setAside(
    account,
    'transactions',
    () => true,
    ({ key }) => void seen.push(key),
  );
  for (let row = 0; row < 12; row++)
    note({
      id: `txn_up_${row}`,
      key: `txn_up_${row}`,
      day: localDate('2026-11-01'),
      field: 'amount',
      reason: 'unreadable',
    });
  assert.equal(seen.length, 12);
  assert.equal(lines.length, 10);
  const { row_id, day, field, reason, provider } = lines[3] ?? {};
  assert.deepEqual(
    { row_id, day, field, reason, provider },
    { row_id: 'txn_up_3', day: '2026-11-01', field: 'amount', reason: 'unreadable', provider: 'au_banking' },
  );
});

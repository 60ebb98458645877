import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type { Provider } from '../../../src/connectors/providers/provider-contract.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { SimulatedClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { moneyFromDecimal } from '../../../src/vocabulary/money.ts';
import type { Capability } from '../../../src/vocabulary/provider-kinds.ts';
import { never, turnsOn } from './open-gateway.ts';
import { code } from './service-code.ts';

const QUARTER_MS = 15 * 60_000;

/** A provider of balances, which notes how each was asked for. */
function open(capabilities: readonly Capability[], caching: boolean) {
  const asked: boolean[] = [];
  const unused = () => Promise.reject(new Error('not asked here'));
  const provider: Provider = {
    identifier: 'nz_banking',
    capabilities: new Set(capabilities),
    redeemsOnce: true,
    beginLink: unused,
    completeLink: unused,
    withdraw: unused,
    listAccounts: unused,
    readBalance: async (_access, _account, { live }) => {
      asked.push(live);
      const current = moneyFromDecimal('1.00', 'nzd');
      return { current, available: null, currentDecimal: '1.00', availableDecimal: null, currency: 'nzd' };
    },
  };
  const clock = new SimulatedClock(Date.parse('2026-11-20T06:00:00Z'));
  const gateway = new ProviderGateway({
    providers: new Map([['nz_banking' as const, provider]]),
    cache: new MemoryCache(clock, { bytes: 1_000_000, ownerBytes: 1_000_000 }),
    turns: turnsOn(clock),
    limits: DEFAULT_LIMITS,
    clock,
    log: createLog({ level: 'silent' }),
    metrics: new Metrics(),
  });
  const grant = { customer: 'c', secret: NO_SECRET, consent: 'consent', institution: 'kiwi' };
  const account = (id = rowId('account', randomUUID())) => ({
    id,
    upstreamId: 'a',
    type: 'transaction' as const,
    balanceSign: null,
    timezone: 'Pacific/Auckland',
    currency: 'nzd',
    connection: {
      id: rowId('connection', randomUUID()),
      owner: rowId('account_record', randomUUID()),
      provider: 'nz_banking' as const,
      institution: 'Kiwi Mutual',
      grant,
      caching,
    },
  });
  return { gateway, clock, asked, account };
}

describe('A balance with caching off', () => {
  it('is live at any provider that can ask the bank, and rationed by account [code balance_refresh_limited]', async () => {
    const { gateway, clock, asked, account } = open(['balance', 'live_balance'], false);
    const mine = account();
    await gateway.accounts.balance(mine, {}, never);
    clock.advance(60_000);
    const early = await code(gateway.accounts.balance(mine, {}, never), 'balance_refresh_limited');
    assert.deepEqual([early.status, early.retryAfterSeconds], [429, 14 * 60]);
    await gateway.accounts.balance(account(), {}, never);
    clock.advance(QUARTER_MS - 60_000);
    await gateway.accounts.balance(mine, {}, never);
    assert.deepEqual(asked, [true, true, true]);
  });

  it('is what the provider holds where it cannot ask the bank, and is not rationed', async () => {
    const { gateway, asked, account } = open(['balance'], false);
    const mine = account();
    for (let turn = 0; turn < 3; turn++)
      assert.equal((await gateway.accounts.balance(mine, {}, never)).cache, 'BYPASS');
    assert.deepEqual(asked, [false, false, false]);
  });
});

describe('A balance with caching on', () => {
  it('that is asked for live replaces what is held, and stands in for the next live one for a quarter of an hour', async () => {
    const { gateway, clock, asked, account } = open(['balance', 'live_balance'], true);
    const mine = account();
    const outcomes: string[] = [];
    const read = async (live: boolean) =>
      outcomes.push((await gateway.accounts.balance(mine, { live }, never)).cache);
    await read(false);
    await read(true);
    clock.advance(QUARTER_MS - 1);
    await read(true);
    await read(false);
    clock.advance(1);
    await read(true);
    assert.deepEqual(outcomes, ['MISS', 'MISS', 'HIT', 'HIT', 'MISS']);
    assert.deepEqual(asked, [false, true, true]);
  });
});

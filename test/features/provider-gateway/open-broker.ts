import assert from 'node:assert/strict';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type { Provider } from '../../../src/connectors/providers/provider-contract.ts';
import type { GatewayAccount, TradeRange } from '../../../src/features/provider-gateway/gateway-types.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { SimulatedClock, systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import type { Trade } from '../../../src/vocabulary/holdings.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { addDays, localDate } from '../../../src/vocabulary/moments.ts';
import { exactMoney } from '../../../src/vocabulary/money.ts';
import type { Capability } from '../../../src/vocabulary/provider-kinds.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { memoryPauses, never } from './open-gateway.ts';

export const TODAY = localDate('2026-11-20');
const id = () => newRowId(systemClock);

export type TradePages = NonNullable<Provider['tradePages']>;

/** A broker that can be asked for trades and for nothing else. */
function broker(tradePages: TradePages | null): Provider {
  const nothing = async () => {
    throw new UpstreamFailure('not_implemented', 'Only trades are offered.');
  };
  return {
    identifier: 'brokerage',
    capabilities: new Set<Capability>(['trades']),
    redeemsOnce: true,
    listInstitutions: nothing,
    createCustomer: nothing,
    deleteCustomer: nothing,
    activeGrants: nothing,
    beginLink: nothing,
    completeLink: nothing,
    readConsent: nothing,
    withdraw: nothing,
    listAccounts: nothing,
    readBalance: nothing,
    readDetails: nothing,
    transactionPages: () => assert.fail('nobody asks a broker for transactions'),
    ...(tradePages === null ? {} : { tradePages }),
  };
}

/** The trade of so many days ago. */
export function trade(ago: number): Trade {
  return {
    id: `trd_st_${ago}`,
    symbol: 'VTI',
    name: null,
    type: 'buy',
    quantity: '0.5',
    price: exactMoney('33.1234', 'usd'),
    currency: 'usd',
    total_amount: null,
    fees: null,
    trade_date: addDays(TODAY, -ago),
    trade_datetime: '2026-11-20T09:30:00-05:00',
    settlement_date: null,
    settlement_datetime: null,
    description: null,
  };
}

/** A gateway whose one broker has these trades, and an account there. */
export function openBroker(tradePages: TradePages | null, limits: Partial<Limits> = {}) {
  const clock = new SimulatedClock(Date.parse(`${TODAY}T12:00:00Z`));
  const gateway = new ProviderGateway({
    providers: new Map([['brokerage' as const, broker(tradePages)]]),
    cache: new MemoryCache(clock, { bytes: 10_000, ownerBytes: 10_000 }),
    limits: { ...DEFAULT_LIMITS, ...limits },
    clock,
    log: createLog({ level: 'silent' }),
    metrics: new Metrics(),
    pauses: memoryPauses(),
  });
  const account = {
    id: rowId('account', id()),
    upstreamId: 'acc-1',
    type: 'investment' as const,
    balanceSign: null,
    timezone: 'America/New_York',
    currency: 'usd',
    connection: {
      id: rowId('connection', id()),
      owner: rowId('account_record', id()),
      provider: 'brokerage' as const,
      institution: 'Broker',
      grant: { customer: 'c', secret: NO_SECRET, consent: 'k', institution: 'broker' },
      caching: true,
    },
  };
  return { gateway, account, clock };
}

/** Every trade of the range, read within one deadline. */
export async function allTrades(
  gateway: ProviderGateway,
  account: GatewayAccount,
  range: TradeRange,
): Promise<Trade[]> {
  const trades: Trade[] = [];
  await gateway.positions.trades(account, range, (page) => void trades.push(...page), never);
  return trades;
}

import { randomUUID } from 'node:crypto';
import type { BankDataset } from '../../../sandbox/au-banking/dataset/bank-dataset.ts';
import type { ProviderAccess, ProviderAccount } from '../../../src/connectors/providers/provider-contract.ts';
import type { Pauses, RationedRead } from '../../../src/features/provider-gateway/call-guards.ts';
import type { GatewayAccount } from '../../../src/features/provider-gateway/gateway-types.ts';
import { MemoryCache } from '../../../src/features/provider-gateway/memory-cache.ts';
import { ProviderGateway } from '../../../src/features/provider-gateway/provider-gateway.ts';
import { CountedTurns, MemoryQuotaLog } from '../../../src/features/rate-limits/quota-log.ts';
import { type Clock, SimulatedClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { type OwnerId, rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { type LocalDate, localDate } from '../../../src/vocabulary/moments.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { type AuBankingBank, NOW, openAuBanking } from '../../connectors/providers/au-banking-bank.ts';

export const BANK_NAME = 'Banking Sandbox Data Holder';
export const never = new AbortController().signal;
export const EVER: { from: LocalDate; to: LocalDate; includePending: boolean } = {
  from: localDate('2001-01-01'),
  to: localDate('2027-01-01'),
  includePending: true,
};

/** A gateway over the real adapter and the simulated vendor, on a clock that is moved by hand. */
export interface TestGateway {
  readonly gateway: ProviderGateway;
  readonly bank: AuBankingBank;
  readonly clock: SimulatedClock;
  /** Links the customer and returns each account, ready to be read. */
  link(
    customer: string,
    more?: { caching?: boolean; institution?: string; owner?: OwnerId },
  ): Promise<LinkedAccount[]>;
  /** Requests the vendor got for a path since the last call. */
  asked(path: string): number;
  close(): Promise<void>;
}

export interface LinkedAccount extends GatewayAccount {
  readonly upstream: ProviderAccount;
  readonly grant: ProviderAccess;
}

/** Pauses that end with the process. */
export function memoryPauses(): Pauses {
  const noted = new Map<string, Awaited<ReturnType<Pauses['of']>>>();
  const nameOf = ({ account, what }: RationedRead): string => `${account} ${what}`;
  return {
    of: async (read) => noted.get(nameOf(read)) ?? null,
    note: async (read, pause) => void noted.set(nameOf(read), pause),
  };
}

/** Turns of one process. */
export function turnsOn(clock: Clock): CountedTurns {
  return new CountedTurns(new MemoryQuotaLog(clock), (name) => name);
}

export async function openGateway(
  options: {
    limits?: Partial<Limits>;
    dataset?: BankDataset;
    breaker?: { failures: number; restMs: number };
  } = {},
): Promise<TestGateway> {
  const bank = await openAuBanking(options.dataset === undefined ? {} : { dataset: options.dataset });
  const clock = new SimulatedClock(NOW);
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { cache_bytes: bytes, cache_owner_bytes: ownerBytes } = limits;
  const gateway = new ProviderGateway({
    providers: new Map<ProviderIdentifier, typeof bank.provider>([['au_banking', bank.provider]]),
    cache: new MemoryCache(clock, { bytes, ownerBytes }),
    turns: turnsOn(clock),
    limits,
    clock,
    log: createLog({ level: 'silent' }),
    metrics: new Metrics(),
    pauses: memoryPauses(),
    ...(options.breaker === undefined ? {} : { breaker: options.breaker }),
  });
  return {
    gateway,
    bank,
    clock,
    link: async (customer, more = {}) => {
      const grant = await bank.link(
        customer,
        more.institution === undefined ? {} : { institution: more.institution },
      );
      if (typeof grant === 'string') throw new Error(`the link failed: ${grant}`);
      const connection = {
        id: rowId('connection', randomUUID()),
        owner: more.owner ?? rowId('account_record', randomUUID()),
        provider: 'au_banking' as const,
        institution: BANK_NAME,
        grant,
        caching: more.caching ?? true,
      };
      const accounts = await gateway.listAccounts(connection, never);
      return accounts.map((upstream) => ({
        id: rowId('account', randomUUID()),
        upstreamId: upstream.id,
        type: upstream.type,
        balanceSign: null,
        timezone: 'Australia/Sydney',
        currency: upstream.currency,
        connection,
        upstream,
        grant,
      }));
    },
    asked: (path) => {
      const { control } = bank.simulator;
      const count = control.requests().filter((request) => request.path.startsWith(path)).length;
      control.clearRequests();
      return count;
    },
    close: () => bank.shut(),
  };
}

/** All rows of a stream. */
export async function all(pages: AsyncIterable<readonly Transaction[]>): Promise<Transaction[]> {
  const rows: Transaction[] = [];
  for await (const page of pages) rows.push(...page);
  return rows;
}

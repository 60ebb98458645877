import { randomUUID } from 'node:crypto';
import type { BankDataset } from '../../../sandbox/au-banking/dataset/bank-dataset.ts';
import { type AuBankingSimulator, startAuBankingSimulator } from '../../../sandbox/au-banking/server.ts';
import {
  type AuBankingProvider,
  createAuBankingProvider,
} from '../../../src/connectors/providers/au-banking/connector.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type { ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { completeConsent } from '../../support/consent-client.ts';

export const NOW = Date.parse('2026-11-20T06:00:00Z');
/** What an adapter waits before it asks again is not waited for in tests. */
export const immediateClock: Clock = { now: () => NOW, sleep: async () => undefined };

/** The real adapter against the simulated vendor, over HTTP. */
export interface AuBankingBank {
  readonly provider: AuBankingProvider;
  readonly simulator: AuBankingSimulator;
  link(customer: string, options?: LinkOptions): Promise<ProviderAccess | string>;
  shut(): Promise<void>;
}

export interface LinkOptions {
  readonly outcome?: 'approve' | 'deny' | 'cancel' | 'fail';
  readonly institution?: string;
  /** The vendor's id of the person; a new one when absent. */
  readonly as?: string;
  readonly renew?: ProviderAccess;
}

export const SANDBOX_BANK = '88888';
const SENT = { redirectUri: 'https://app.example/connect/return', verifier: 'v'.repeat(43) };

export async function openAuBanking(
  options: {
    dataset?: BankDataset;
    version?: 'v2' | 'v3';
    clientSecret?: string;
    clock?: Clock;
    limits?: Limits;
    historySyncDelayMs?: number;
  } = {},
): Promise<AuBankingBank> {
  const clock = options.clock ?? immediateClock;
  const simulator = await startAuBankingSimulator({
    clientId: 'client-1',
    clientSecret: 'secret-1',
    clock,
    firstSyncDelayMs: 0,
    historySyncDelayMs: options.historySyncDelayMs ?? 0,
    dataset: options.dataset,
  });
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
  const provider = createAuBankingProvider({
    http,
    clock,
    log: createLog({ level: 'silent' }),
    limits: options.limits ?? DEFAULT_LIMITS,
    baseUrl: simulator.url,
    clientId: 'client-1',
    clientSecret: options.clientSecret ?? 'secret-1',
    version: options.version ?? 'v3',
  });
  return {
    provider,
    simulator,
    link: (customer, more) => link(provider, customer, more),
    shut: async () => {
      await simulator.close();
      await http.close();
    },
  };
}

/** Goes through the hosted pages; the grant, or why there is none. */
async function link(
  provider: AuBankingProvider,
  customer: string,
  options: LinkOptions = {},
): Promise<ProviderAccess | string> {
  const { signal } = new AbortController();
  const renew = options.renew ?? null;
  const institution = options.institution ?? SANDBOX_BANK;
  const person = options.as ?? (await provider.createCustomer(randomUUID(), signal)).id;
  const begun = await provider.beginLink(
    {
      customer: person,
      secret: NO_SECRET,
      institution,
      ...SENT,
      state: 's1',
      renew,
    },
    signal,
  );
  const returned = await completeConsent(begun.url, { customer, outcome: options.outcome ?? 'approve' });
  const outcome = await provider.completeLink(
    {
      customer: person,
      secret: NO_SECRET,
      institution,
      ...SENT,
      memo: begun.memo,
      query: Object.fromEntries(returned.searchParams),
      renew,
    },
    signal,
  );
  if (outcome.kind === 'linked') return { customer: person, secret: NO_SECRET, ...outcome.grants[0].grant };
  return outcome.kind === 'failed' ? outcome.reason : 'pending';
}

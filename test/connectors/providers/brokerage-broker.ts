import { randomUUID } from 'node:crypto';
import {
  type BrokerageSimulator,
  type BrokerageSimulatorOptions,
  startBrokerageSimulator,
} from '../../../sandbox/brokerage/server.ts';
import {
  type BrokerageProvider,
  createBrokerageProvider,
} from '../../../src/connectors/providers/brokerage/connector.ts';
import type { CustomerSecret } from '../../../src/connectors/providers/customer-secret.ts';
import type {
  ProviderAccess,
  ProviderCustomer,
} from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { completeConsent } from '../../support/consent-client.ts';

export const NOW = Date.parse('2026-11-20T15:00:00Z');
export const KEY = { clientId: 'client-1', consumerKey: 'consumer key/1+é' } as const;

const SENT = { redirectUri: 'https://app.example/connect/return', verifier: 'v'.repeat(43) };
/** Nothing is waited for with a clock that stands still. */
const AT_ONCE = { firstSyncDelayMs: 0, deletionDelayMs: 0, requestsPerMinute: 100_000 };

/** A secret that is kept in memory; `renewals` counts how often it was replaced. */
export class KeptSecret implements CustomerSecret {
  value: string | null;
  renewals = 0;

  constructor(value: string | null) {
    this.value = value;
  }

  async renew(
    used: string,
    ask: (current: string, signal: AbortSignal) => Promise<string>,
    signal: AbortSignal,
  ): Promise<string> {
    if (this.value === used) {
      this.value = await ask(used, signal);
      this.renewals += 1;
    }
    return this.value ?? '';
  }
}

export interface LinkOptions {
  readonly outcome?: 'approve' | 'deny' | 'cancel' | 'fail';
  readonly broker?: string;
  /** Who links; someone new when absent. */
  readonly as?: Pick<ProviderAccess, 'customer' | 'secret'>;
  readonly renew?: ProviderAccess;
}

/** The real adapter against the simulated vendor, over HTTP. */
export interface Brokerage {
  readonly provider: BrokerageProvider;
  readonly simulator: BrokerageSimulator;
  /** Sandbox time, which is moved by hand. */
  readonly time: { now: number };
  register(): Promise<Pick<ProviderAccess, 'customer' | 'secret'> & { readonly key: string }>;
  link(customer: string, options?: LinkOptions): Promise<ProviderAccess | string>;
  /** As `link`, and fails the test where there is no connection. */
  linked(customer: string, options?: LinkOptions): Promise<ProviderAccess>;
  shut(): Promise<void>;
}

export const never = new AbortController().signal;

export async function openBrokerage(
  options: Partial<BrokerageSimulatorOptions> & {
    readonly limits?: Partial<Limits>;
    /** Instead of `limits`: the very object, for a test that changes it between reads. */
    readonly liveLimits?: Limits;
    readonly adapterKey?: string;
  } = {},
): Promise<Brokerage> {
  const time = { now: NOW };
  const { limits = {}, liveLimits, adapterKey = KEY.consumerKey, ...more } = options;
  const simulator = await startBrokerageSimulator({
    ...KEY,
    clock: { now: () => time.now },
    ...more,
    settings: { ...AT_ONCE, ...more.settings },
  });
  // What an adapter waits passes at once.
  const clock: Clock = {
    now: () => time.now,
    sleep: async (ms) => {
      time.now += ms;
    },
  };
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
  const provider = createBrokerageProvider({
    http,
    clock,
    log: createLog({ level: 'silent' }),
    limits: liveLimits ?? { ...DEFAULT_LIMITS, ...limits },
    baseUrl: simulator.url,
    clientId: KEY.clientId,
    consumerKey: adapterKey,
    personal: options.personal ?? false,
  });
  const register = async () => {
    const key = randomUUID();
    const made: ProviderCustomer =
      options.personal === true ? { id: key, secret: null } : await provider.createCustomer(key, never);
    return { key, customer: made.id, secret: new KeptSecret(made.secret) };
  };
  const link = async (customer: string, how: LinkOptions = {}): Promise<ProviderAccess | string> => {
    const { customer: id, secret } = how.renew ?? how.as ?? (await register());
    const renew = how.renew ?? null;
    const request = { customer: id, secret, institution: null, ...SENT, renew };
    const begun = await provider.beginLink({ ...request, state: 's1' }, never);
    // Signing in takes a while, by which the vendor's own dates show that someone did.
    time.now += 1000;
    const returned = await completeConsent(begun.url, {
      customer,
      outcome: how.outcome ?? 'approve',
      ...(how.broker === undefined ? {} : { institution: how.broker }),
    });
    const query = Object.fromEntries(returned.searchParams);
    const outcome = await provider.completeLink({ ...request, memo: begun.memo, query }, never);
    if (outcome.kind === 'linked') return { customer: id, secret, ...outcome.grants[0].grant };
    return outcome.kind === 'failed' ? outcome.reason : 'pending';
  };
  return {
    provider,
    simulator,
    time,
    register,
    link,
    linked: async (customer, how) => {
      const access = await link(customer, how);
      if (typeof access === 'string') throw new Error(`the link failed: ${access}`);
      return access;
    },
    shut: async () => {
      await simulator.close();
      await http.close();
    },
  };
}

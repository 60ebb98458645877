import { startUpBankSimulator, type UpBankSimulator } from '../../../sandbox/up-bank/server.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type { ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import {
  createUpBankProvider,
  type UpBankProvider,
} from '../../../src/connectors/providers/up-bank/connector.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { immediateClock } from './au-banking-bank.ts';

export const TOKEN = 'up:test:token';
export const WEBHOOK_SECRET = 'webhook-secret';
export const SENT = {
  customer: 'a-key',
  secret: NO_SECRET,
  institution: null,
  redirectUri: 'https://app.example/connect/return',
  verifier: 'v'.repeat(43),
};

/** The real adapter against the simulated bank, over HTTP. */
export interface UpBankWorld {
  readonly provider: UpBankProvider;
  readonly simulator: UpBankSimulator;
  /** Gives the token to someone and links; the grant, or why there is none. */
  link(logIn: string): Promise<ProviderAccess | string>;
  shut(): Promise<void>;
}

export async function openUpBank(
  options: { clock?: Clock; limits?: Limits; token?: string } = {},
): Promise<UpBankWorld> {
  const clock = options.clock ?? immediateClock;
  const simulator = await startUpBankSimulator({
    token: TOKEN,
    webhookSecret: WEBHOOK_SECRET,
    clock,
    webhookDelaysMs: [],
  });
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
  const provider = createUpBankProvider({
    http,
    clock,
    limits: options.limits ?? DEFAULT_LIMITS,
    baseUrl: simulator.baseUrl,
    token: options.token ?? TOKEN,
    webhookSecret: WEBHOOK_SECRET,
  });
  return {
    provider,
    simulator,
    link: async (logIn) => {
      simulator.control.choose(logIn);
      return linkHolder(provider);
    },
    shut: async () => {
      await simulator.close();
      await http.close();
    },
  };
}

/** Links anyone who the token belongs to now. */
export async function linkHolder(provider: UpBankProvider): Promise<ProviderAccess | string> {
  const { signal } = new AbortController();
  const { url, memo } = await provider.beginLink({ ...SENT, state: 's1', renew: null });
  const query = Object.fromEntries(new URL(url).searchParams);
  const outcome = await provider.completeLink({ ...SENT, memo, query, renew: null }, signal);
  if (outcome.kind !== 'linked') return outcome.kind === 'failed' ? outcome.reason : 'pending';
  return { customer: SENT.customer, secret: NO_SECRET, ...outcome.grants[0].grant };
}

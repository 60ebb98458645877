import { type SimplefinSimulator, startSimplefinSimulator } from '../../../sandbox/simplefin/server.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import type {
  CustomerAccess,
  LinkOutcome,
  ProviderAccess,
  ProviderGrant,
} from '../../../src/connectors/providers/provider-contract.ts';
import {
  createSimplefinProvider,
  type SimplefinProvider,
} from '../../../src/connectors/providers/simplefin/connector.ts';
import { MemoryQuotaLog } from '../../../src/features/rate-limits/quota-log.ts';
import { VendorQuotas } from '../../../src/features/rate-limits/vendor-quotas.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import type { Quotas } from '../../../src/platform/quotas.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { immediateClock } from './au-banking-bank.ts';

export const OWN_URL = 'https://hub.example';
export const SENT = {
  customer: 'a-key',
  secret: NO_SECRET,
  institution: null,
  redirectUri: `${OWN_URL}/connect/return`,
  verifier: 'v'.repeat(43),
};

/** A customer with the access URL as the secret. */
export function customerOf(secret: string, customer = 'a-key'): CustomerAccess {
  return { customer, secret: { value: secret, renew: async () => secret } };
}

/** The access of a grant under the secret that a link stored. */
export function accessOf(outcome: LinkOutcome, index = 0): ProviderAccess {
  if (outcome.kind !== 'linked') throw new Error(`the link ended as ${JSON.stringify(outcome)}`);
  const { customer, grants } = outcome;
  const granted = grants[index];
  if (customer === null || granted === undefined) throw new Error('the link has no such grant');
  return { ...customerOf(customer.secret ?? '', customer.id), ...granted.grant };
}

export interface SimplefinWorldOptions {
  readonly clock?: Clock;
  readonly limits?: Limits;
  readonly dailyRequests?: number | null;
  readonly quotas?: Quotas;
}

/** The real adapter against the simulated server, over HTTP. */
export interface SimplefinWorld {
  readonly provider: SimplefinProvider;
  readonly simulator: SimplefinSimulator;
  /** What was passed to `keep`. */
  readonly kept: string[];
  /** Enters a token and comes back. */
  enter(token: string, renew?: ProviderGrant | null): Promise<LinkOutcome>;
  /** Makes a token of the user and enters it. */
  link(logIn: string, renew?: ProviderGrant | null): Promise<LinkOutcome>;
  /** Another adapter for the same server, as after a restart. */
  restarted(): SimplefinProvider;
  shut(): Promise<void>;
}

export async function openSimplefin(options: SimplefinWorldOptions = {}): Promise<SimplefinWorld> {
  const clock = options.clock ?? immediateClock;
  const simulator = await startSimplefinSimulator({ clock });
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
  const open = () =>
    createSimplefinProvider({
      http,
      clock,
      limits: options.limits ?? DEFAULT_LIMITS,
      quotas:
        options.quotas ?? new VendorQuotas(clock, { log: new MemoryQuotaLog(clock), blind: (key) => key }),
      bridgeUrl: simulator.baseUrl,
      createUrl: `${simulator.baseUrl}/create`,
      ownUrls: [OWN_URL],
      dailyRequests: options.dailyRequests ?? null,
    });
  const provider = open();
  const kept: string[] = [];
  const enter = async (token: string, renew: ProviderGrant | null = null): Promise<LinkOutcome> => {
    const { url, memo } = await provider.beginLink({ ...SENT, state: 's1', renew, entered: token });
    const query = Object.fromEntries(new URL(url).searchParams);
    const keep = async (secret: string) => void kept.push(secret);
    return provider.completeLink({ ...SENT, memo, query, renew, keep }, new AbortController().signal);
  };
  return {
    provider,
    simulator,
    kept,
    enter,
    link: (logIn, renew) => enter(simulator.control.createToken(logIn), renew),
    restarted: open,
    shut: async () => {
      await simulator.close();
      await http.close();
    },
  };
}

import { type NzBankingSimulator, startNzBankingSimulator } from '../../../sandbox/nz-banking/server.ts';
import { type CustomerSecret, NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import {
  createNzBankingProvider,
  type NzBankingProvider,
} from '../../../src/connectors/providers/nz-banking/connector.ts';
import type { LinkOutcome, ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { type ConsentChoices, completeConsent } from '../../support/consent-client.ts';

export const NOW = Date.parse('2026-11-20T06:00:00Z');
export const APP = { appToken: 'app_token_test', appSecret: 'secret-1' };
export const SENT = { redirectUri: 'https://app.example/connect/return', verifier: 'v'.repeat(43) };

/** A clock that is moved by hand; what an adapter waits before it asks again is not waited for. */
export class HandClock implements Clock {
  #now = NOW;
  now = (): number => this.#now;
  sleep = async (): Promise<void> => undefined;

  advance(ms: number): void {
    this.#now += ms;
  }
}

/** A secret that stays as it is. */
export function fixedSecret(value: string | null): CustomerSecret {
  return value === null ? NO_SECRET : { value, renew: () => Promise.reject(new Error('nothing renews it')) };
}

/** The real adapter against the simulated vendor, over HTTP. */
export interface NzBankingBank {
  readonly provider: NzBankingProvider;
  readonly simulator: NzBankingSimulator;
  readonly clock: HandClock;
  /** Signs in on the vendor's page; a text is why nothing was linked. */
  signIn(
    customer: string,
    more?: ConsentChoices & { renew?: ProviderAccess; keep?: (secret: string) => Promise<void> },
  ): Promise<LinkOutcome>;
  /** The accesses of a sign-in, in the order of its grants. */
  link(customer: string, more?: ConsentChoices): Promise<ProviderAccess[]>;
  /** Another adapter at the same vendor. */
  adapter(more: Partial<Settings>): NzBankingProvider;
  shut(): Promise<void>;
}

interface Settings {
  readonly baseUrl: string;
  readonly appToken: string;
  readonly appSecret: string | null;
  readonly userToken: string | null;
  readonly positiveDebt: ReadonlySet<string>;
}

export async function openNzBanking({
  limits = DEFAULT_LIMITS,
  ...options
}: {
  readonly limits?: Limits;
  readonly webhookUrl?: string;
  readonly firstSyncDelayMs?: number;
} = {}): Promise<NzBankingBank> {
  const clock = new HandClock();
  const simulator = await startNzBankingSimulator({ ...APP, clock, ...options });
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
  const adapter = (more: Partial<Settings>): NzBankingProvider =>
    createNzBankingProvider({
      http,
      clock,
      log: createLog({ level: 'silent' }),
      limits,
      baseUrl: simulator.url,
      oauthUrl: simulator.oauthUrl,
      ...APP,
      userToken: null,
      positiveDebt: new Set(),
      ...more,
    });
  const provider = adapter({});
  const { signal } = new AbortController();
  const signIn: NzBankingBank['signIn'] = async (customer, { renew, keep, ...choices } = {}) => {
    const grant = renew === undefined ? null : { consent: renew.consent, institution: renew.institution };
    const who = { customer: renew?.customer ?? 'nobody-yet', secret: renew?.secret ?? NO_SECRET };
    const link = { ...who, institution: null, renew: grant };
    const begun = await provider.beginLink({ ...link, ...SENT, state: 's1' });
    const returned = await completeConsent(begun.url, { ...choices, customer });
    const { state, ...query } = Object.fromEntries(returned.searchParams);
    if (state !== 's1') throw new Error(`the state came back as ${state}`);
    return provider.completeLink(
      { ...link, ...SENT, memo: begun.memo, query, ...(keep && { keep }) },
      signal,
    );
  };
  return {
    provider,
    simulator,
    clock,
    adapter,
    signIn,
    link: async (customer, choices) => accessesOf(await signIn(customer, choices)),
    shut: async () => {
      await simulator.close();
      await http.close();
    },
  };
}

/** What a sign-in opened. Throws where nothing was linked. */
export function accessesOf(outcome: LinkOutcome): ProviderAccess[] {
  if (outcome.kind !== 'linked' || outcome.customer === null)
    throw new Error(`nothing was linked: ${JSON.stringify(outcome)}`);
  const { id, secret } = outcome.customer;
  return outcome.grants.map(({ grant }) => ({ customer: id, secret: fixedSecret(secret), ...grant }));
}

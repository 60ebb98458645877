import {
  type EnableBankingSimulator,
  newKeyPair,
  startEnableBankingSimulator,
} from '../../../sandbox/enable-banking/server.ts';
import { NO_SECRET } from '../../../src/connectors/providers/customer-secret.ts';
import {
  createEnableBankingProvider,
  type EnableBankingProvider,
} from '../../../src/connectors/providers/enable-banking/connector.ts';
import type { LinkOutcome, ProviderAccess } from '../../../src/connectors/providers/provider-contract.ts';
import { AddressGuard } from '../../../src/platform/address-guard.ts';
import { OutgoingHttp } from '../../../src/platform/outgoing-http.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { type ConsentChoices, completeConsent } from '../../support/consent-client.ts';
import { accessesOf, HandClock, SENT } from './nz-banking-bank.ts';

const APPLICATION = '00000000-0000-4000-8000-0000000000aa';
/** A bank without quirks. */
export const PLAIN_BANK = 'FI:Kuura Bank';

const keys = newKeyPair();

/** The real adapter against the simulated vendor, over HTTP. */
export interface EnableBankingBank {
  readonly provider: EnableBankingProvider;
  readonly simulator: EnableBankingSimulator;
  readonly clock: HandClock;
  /** Signs in at a bank. */
  signIn(customer: string, more?: SignIn): Promise<LinkOutcome>;
  link(customer: string, more?: SignIn): Promise<ProviderAccess>;
  /** Another adapter at the same vendor, as after a restart. */
  adapter(more?: { readonly privateKey: string }): EnableBankingProvider;
  shut(): Promise<void>;
}

type SignIn = ConsentChoices & {
  readonly bank?: string;
  readonly renew?: ProviderAccess;
  readonly entered?: string | null;
  readonly keep?: (secret: string) => Promise<void>;
};

export async function openEnableBanking({
  limits = DEFAULT_LIMITS,
}: {
  readonly limits?: Limits;
} = {}): Promise<EnableBankingBank> {
  const clock = new HandClock();
  const { publicKey, privateKey } = await keys;
  const simulator = await startEnableBankingSimulator({ applicationId: APPLICATION, publicKey, clock });
  const http = new OutgoingHttp({ guard: new AddressGuard([]), trustedOrigins: [simulator.url] });
  const adapter = (more: { readonly privateKey?: string } = {}): EnableBankingProvider =>
    createEnableBankingProvider({
      http,
      clock,
      limits,
      baseUrl: simulator.url,
      applicationId: APPLICATION,
      privateKey,
      psuType: 'personal',
      ...more,
    });
  const provider = adapter();
  const { signal } = new AbortController();
  const signIn: EnableBankingBank['signIn'] = async (
    customer,
    { bank = PLAIN_BANK, renew, keep, entered = null, ...choices } = {},
  ) => {
    const grant = renew === undefined ? null : { consent: renew.consent, institution: renew.institution };
    const who = { customer: renew?.customer ?? 'nobody-yet', secret: renew?.secret ?? NO_SECRET };
    const link = { ...who, institution: bank, renew: grant };
    const begun = await provider.beginLink({ ...link, ...SENT, state: 's1', entered }, signal);
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
    link: async (customer, more) => {
      const [access] = accessesOf(await signIn(customer, more));
      if (access === undefined) throw new Error('nothing was linked');
      return access;
    },
    shut: async () => {
      await simulator.close();
      await http.close();
    },
  };
}

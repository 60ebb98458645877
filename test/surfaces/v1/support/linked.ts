import { Tributary } from '#client';
import { banksByName, linkCustomer } from '../../../../src/app/demo/demo-steps.ts';
import type { ProviderIdentifier } from '../../../../src/vocabulary/provider-kinds.ts';
import type { TestOwner, TestService } from '../../../support/service.ts';

/** Where someone links, at vendors that ask for the bank first. */
const BANKS: Readonly<Partial<Record<ProviderIdentifier, string>>> = {
  au_banking: 'Gumtree Mutual (sandbox)',
  enable_banking: 'Kuura Bank (FI)',
};
const RETURN_URL = 'http://127.0.0.1:1/linked';

export interface SomebodyAt {
  readonly provider: ProviderIdentifier;
  readonly customer: string;
}

/** Someone of every provider, which together show every field of v1. */
export const SOMEBODY_EVERYWHERE: readonly SomebodyAt[] = [
  { provider: 'au_banking', customer: 'salaried-household' },
  { provider: 'au_banking', customer: 'mortgage-offset' },
  { provider: 'au_banking', customer: 'foreign-currency' },
  { provider: 'au_banking', customer: 'pending-heavy' },
  { provider: 'nz_banking', customer: 'salaried-household' },
  { provider: 'brokerage', customer: 'self-directed' },
  { provider: 'brokerage', customer: 'multi-currency' },
  { provider: 'up_bank', customer: 'everyday' },
  { provider: 'simplefin', customer: 'everyday' },
  { provider: 'enable_banking', customer: 'household' },
];

/** Links them for the owner, each account listed; their v2 ids. */
export async function linkAll(
  service: TestService,
  owner: TestOwner,
  somebodies: readonly SomebodyAt[],
): Promise<string[]> {
  const v2 = new Tributary({ url: service.url, apiKey: owner.key });
  const signal = AbortSignal.timeout(170_000);
  const accounts: string[] = [];
  for (const { provider, customer } of somebodies) {
    const bank = BANKS[provider] ?? null;
    const banks = bank === null ? new Map() : await banksByName(v2, provider);
    const person = { provider, customer, bank };
    accounts.push(...(await linkCustomer(v2, person, banks, RETURN_URL, signal)));
  }
  return accounts;
}

import { Tributary } from '#client';
import { banksByName, linkCustomer } from '../../../../src/app/demo/demo-steps.ts';
import type { TestOwner, TestService } from '../../../support/service.ts';

const BANK = 'Gumtree Mutual (sandbox)';
const RETURN_URL = 'http://127.0.0.1:1/linked';

export interface SomebodyAt {
  readonly provider: 'au_banking' | 'nz_banking' | 'brokerage' | 'up_bank';
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
    const linksInstitution = provider === 'au_banking';
    const banks = linksInstitution ? await banksByName(v2, provider) : new Map();
    const person = { provider, customer, bank: linksInstitution ? BANK : null };
    accounts.push(...(await linkCustomer(v2, person, banks, RETURN_URL, signal)));
  }
  return accounts;
}

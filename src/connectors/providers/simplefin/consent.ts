import type { ConnectionState, ProviderConsent } from '../provider-contract.ts';

const DATA_CATEGORIES = ['accounts', 'balances', 'transactions'];

/** A consent as it is now. Servers do not say since when: it counts as given when it is first seen. */
export function consentOf(id: string, state: ConnectionState, now: number): ProviderConsent {
  return {
    id,
    state,
    grantedAt: now,
    expiresAt: null,
    purpose: null,
    dataCategories: DATA_CATEGORIES,
    terminationReason: null,
  };
}

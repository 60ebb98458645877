import type { ProviderKind } from './kind.ts';

/** Banks in Australia, through the Consumer Data Right. */
export const AU_BANKING = {
  tag: 'fk',
  linksInstitution: true,
  category: 'banking',
  country: 'AU',
  timezone: 'Australia/Sydney',
  currency: 'aud',
  texts: {
    name: 'Australian bank',
    recipient: {
      name: 'Fiskil',
      role: 'Fiskil is the accredited data recipient under the Consumer Data Right. This service acts as its representative and receives your data from it.',
      shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
    },
  },
} as const satisfies ProviderKind;

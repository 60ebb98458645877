import type { ProviderKind } from './kind.ts';

/** Banks in New Zealand. */
export const NZ_BANKING = {
  tag: 'ak',
  linksInstitution: false,
  category: 'banking',
  country: 'NZ',
  timezone: 'Pacific/Auckland',
  currency: 'nzd',
  texts: {
    name: 'New Zealand bank',
    recipient: {
      name: 'Akahu',
      role: 'Akahu connects to your bank on your behalf. This service receives your data from Akahu.',
      shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
    },
  },
} as const satisfies ProviderKind;

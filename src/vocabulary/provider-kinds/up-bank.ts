import type { ProviderKind } from './kind.ts';

/** The Australian bank Up, which its customers read themselves. */
export const UP_BANK = {
  tag: 'up',
  linksInstitution: false,
  category: 'banking',
  country: 'AU',
  timezone: 'Australia/Sydney',
  currency: 'aud',
  texts: {
    name: 'Up',
    recipient: {
      name: 'Up Bank',
      role: 'This service reads your accounts at Up with the personal access token that you gave to it, directly from the bank.',
      shared: ['Names and types of your accounts', 'Balances', 'Transactions'],
    },
  },
} as const satisfies ProviderKind;

import type { ProviderKind } from './kind.ts';

/** Brokers. */
export const BROKERAGE = {
  tag: 'st',
  linksInstitution: false,
  category: 'brokerage',
  country: null,
  timezone: 'America/New_York',
  currency: 'usd',
  texts: {
    name: 'Broker',
    recipient: {
      name: 'SnapTrade',
      role: 'SnapTrade connects to your broker, for reading only. This service receives your data from it.',
      shared: [
        'Names, types and numbers of your accounts',
        'Balances and holdings',
        'Trades and other activity',
      ],
    },
  },
} as const satisfies ProviderKind;

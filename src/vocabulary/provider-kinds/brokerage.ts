import type { LinkWords, ProviderKind } from './kind.ts';

/** Brokers. */
export const BROKERAGE = {
  tag: 'st',
  linksInstitution: false,
  listsInstitutions: true,
  category: 'brokerage',
  country: null,
  timezone: 'America/New_York',
  currency: 'usd',
  limitsUnattended: false,
  console: { page: 'consoles/snaptrade', title: 'SnapTrade dashboard' },
  texts: {
    name: 'Broker',
    through: 'SnapTrade',
    institution: 'Broker',
    failures: {
      consent_denied: 'Access was refused at the broker. Nothing was shared.',
      authentication_failed: 'The broker could not sign you in. Nothing was shared.',
      institution_error: 'The broker could not be reached. Try again later.',
      not_eligible:
        'The broker does not offer this for your accounts, or you signed in to another account there.',
    },
    invalidated: 'Sign-in needed',
    granted: 'Granted',
    withdrawal: 'delete the connection at SnapTrade',
  },
} as const satisfies ProviderKind;

/** What is said before a link. */
export const BROKERAGE_LINK: LinkWords = {
  unnamed: 'your broker',
  recipient: {
    name: 'SnapTrade',
    role: 'SnapTrade connects to your broker, for reading only. This service receives your data from it.',
    shared: [
      'Names, types and numbers of your accounts',
      'Balances and holdings',
      'Trades and other activity',
    ],
  },
  page: {
    vendor: 'SnapTrade',
    chosen: (broker: string | null) =>
      broker === null ? 'You choose it on the next page, at SnapTrade' : `${broker}, through SnapTrade`,
    next: (broker: string) =>
      `The next page is SnapTrade’s. You sign in with ${broker} there; this service never sees your password.`,
    stop: null,
    startedAgain: 'what you connected there is removed first',
  },
  direct: null,
  entry: null,
};

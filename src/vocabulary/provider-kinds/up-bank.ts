import type { LinkWords, ProviderKind } from './kind.ts';

/** The Australian bank Up, which its customers read themselves. */
export const UP_BANK = {
  tag: 'up',
  linksInstitution: false,
  listsInstitutions: true,
  category: 'banking',
  country: 'AU',
  timezone: 'Australia/Sydney',
  currency: 'aud',
  limitsUnattended: false,
  console: { page: 'consoles/up', title: 'Up app' },
  texts: {
    name: 'Up',
    through: 'Up’s own API',
    institution: 'Bank',
    failures: {
      authentication_failed: 'Up does not accept the token. The operator has to set up a new one.',
      not_eligible:
        'The token belongs to someone else than the connection, or the operator has not opened it to this account record.',
    },
    invalidated: 'New token needed',
    granted: 'First read',
    withdrawal: 'stop reading Up; the token stays valid until it is revoked at Up',
  },
} as const satisfies ProviderKind;

/** What is said before a link. */
export const UP_BANK_LINK: LinkWords = {
  unnamed: 'Up',
  recipient: {
    name: 'This service, directly from Up',
    role: 'This service reads the accounts at Up with the personal access token that its operator has set up.',
    shared: ['Names and types of your accounts', 'Balances', 'Transactions'],
  },
  page: null,
  direct: {
    chosen: () => 'Up',
    next: () => 'You are not asked to sign in: Continue links the accounts of the person whose token it is.',
    stop: () => 'revoke the token at Up',
  },
  entry: null,
};

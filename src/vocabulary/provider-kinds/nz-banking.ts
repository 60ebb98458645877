import type { LinkWords, ProviderKind } from './kind.ts';

/** Banks in New Zealand. */
export const NZ_BANKING = {
  tag: 'ak',
  linksInstitution: false,
  listsInstitutions: true,
  category: 'banking',
  country: 'NZ',
  timezone: 'Pacific/Auckland',
  currency: 'nzd',
  limitsUnattended: false,
  console: { page: 'consoles/akahu', title: 'My Akahu' },
  texts: {
    name: 'New Zealand bank',
    through: 'Akahu',
    institution: 'Bank',
    failures: {
      consent_denied: 'Access was refused at Akahu. Nothing was shared.',
      institution_error: 'Akahu reported an error of its own. Try again later.',
      not_eligible:
        'No account was shared at Akahu, or the operator has not opened it to this account record.',
    },
    invalidated: 'Sign-in needed',
    granted: 'Granted',
    withdrawal:
      'end the access at Akahu; a personal app of the operator keeps its own until it is revoked there',
  },
} as const satisfies ProviderKind;

/** What is said before a link. */
export const NZ_BANKING_LINK: LinkWords = {
  unnamed: 'your New Zealand bank',
  recipient: {
    name: 'Akahu',
    role: 'Akahu connects to your bank on your behalf. This service receives your data from Akahu.',
    shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
  },
  page: {
    vendor: 'Akahu',
    chosen: (bank: string | null) =>
      bank === null ? 'You choose it on the next page, at Akahu' : `${bank}, through Akahu: choose it there`,
    next: (bank: string) =>
      `The next page is Akahu’s. You sign in there, choose ${bank} and which of its accounts to share; this service never sees your password.`,
    stop: () => 'end it at Akahu',
    startedAgain: 'what you did there does not count any more',
  },
  direct: {
    chosen: (bank: string | null) => bank ?? 'Every bank that is shared with the operator’s personal app',
    next: () =>
      'You are not asked to sign in: Continue links what the owner of the personal app that the operator set up at Akahu shares with it.',
    stop: () => 'revoke the app’s access at Akahu',
  },
  entry: null,
};

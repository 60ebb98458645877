import type { LinkWords, ProviderKind } from './kind.ts';

/** Banks in Australia, through the Consumer Data Right. */
export const AU_BANKING = {
  tag: 'fk',
  linksInstitution: true,
  listsInstitutions: true,
  category: 'banking',
  country: 'AU',
  timezone: 'Australia/Sydney',
  currency: 'aud',
  limitsUnattended: false,
  console: { page: 'consoles/fiskil', title: 'Fiskil console' },
  texts: {
    name: 'Australian bank',
    through: 'Australian open banking (Fiskil)',
    institution: 'Bank',
    failures: {},
    invalidated: 'Sign-in needed',
    granted: 'Granted',
    withdrawal: 'withdraw your consent at the bank',
  },
} as const satisfies ProviderKind;

/** What is said before a link. */
export const AU_BANKING_LINK: LinkWords = {
  unnamed: 'your Australian bank',
  recipient: {
    name: 'Fiskil',
    role: 'Fiskil is the accredited data recipient under the Consumer Data Right. This service acts as its representative and receives your data from it.',
    shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
  },
  page: {
    vendor: 'Fiskil',
    chosen: (bank: string | null) => bank ?? 'You choose it on the next page',
    next: (bank: string) =>
      `The next page is Fiskil’s, and leads on to ${bank}, where you sign in; this service never sees your password.`,
    stop: (bank: string) => `end it at ${bank}`,
    startedAgain: 'any consent you gave there is withdrawn first',
  },
  direct: null,
  entry: null,
};

import type { LinkWords, ProviderKind } from './kind.ts';

/** Banks in Europe and the United Kingdom. */
export const ENABLE_BANKING = {
  tag: 'eb',
  linksInstitution: true,
  listsInstitutions: true,
  category: 'banking',
  country: null,
  timezone: 'Europe/Brussels',
  currency: 'eur',
  limitsUnattended: true,
  console: { page: 'consoles/enable-banking', title: 'Enable Banking control panel' },
  texts: {
    name: 'European bank',
    through: 'Enable Banking',
    institution: 'Bank',
    failures: {
      consent_denied: 'Access was refused at the bank. Nothing was shared.',
      institution_error: 'The bank or Enable Banking reported an error of its own. Try again later.',
      not_eligible:
        'No account was shared. In restricted use, Enable Banking shares only accounts that the operator has added to the application in its control panel.',
    },
    invalidated: 'Sign-in needed',
    granted: 'Granted',
    withdrawal: 'end the session at Enable Banking, and with it your consent at the bank',
  },
} as const satisfies ProviderKind;

/** What is said before a link. */
export const ENABLE_BANKING_LINK: LinkWords = {
  unnamed: 'your bank',
  recipient: {
    name: 'Enable Banking',
    role: 'Enable Banking, an authorised account information service, connects to your bank on your behalf. This service receives your data from it.',
    shared: ['Names and types of your accounts', 'Account numbers and balances', 'Transactions'],
  },
  page: {
    vendor: 'Enable Banking',
    chosen: (bank: string | null) =>
      bank === null ? 'You choose it before you continue' : `${bank}, through Enable Banking`,
    next: (bank: string) =>
      `The next page is Enable Banking’s, which takes you to ${bank}. You sign in and choose your accounts there; this service never sees your password.`,
    stop: (bank: string) => `end it at ${bank}`,
    startedAgain: 'what you did there does not count any more',
  },
  direct: null,
  entry: null,
};

import type { LinkWords, ProviderKind } from './kind.ts';

/** SimpleFIN servers, for banks in the United States, Canada and elsewhere. */
export const SIMPLEFIN = {
  tag: 'sf',
  linksInstitution: false,
  listsInstitutions: false,
  category: 'banking',
  country: null,
  timezone: 'UTC',
  currency: 'usd',
  limitsUnattended: false,
  console: { page: 'consoles/simplefin', title: 'SimpleFIN Bridge' },
  texts: {
    name: 'SimpleFIN',
    through: 'SimpleFIN',
    institution: 'Bank',
    failures: {
      authentication_failed:
        'The SimpleFIN server refused the setup token: it was used before, or it is incomplete. Create a new one, and delete the old one there if you did not use it yourself.',
      institution_error:
        'The SimpleFIN server did not answer as it should. The setup token may have been used up: create a new one.',
      not_eligible:
        'The setup token shares no account that can be linked. Connect a bank at SimpleFIN first, then create a new token.',
    },
    invalidated: 'New token needed, or a sign-in at SimpleFIN',
    granted: 'First read',
    withdrawal: 'stop reading SimpleFIN; the access stays valid until it is disabled there',
  },
} as const satisfies ProviderKind;

/** What is said before a link. */
export const SIMPLEFIN_LINK: LinkWords = {
  unnamed: 'SimpleFIN',
  recipient: {
    name: 'This service, from your SimpleFIN server',
    role: 'This service reads your accounts at the SimpleFIN server with which you connected your banks.',
    shared: ['Names of your accounts', 'Balances', 'Transactions'],
  },
  page: null,
  direct: {
    chosen: () => 'Every bank that the setup token shares',
    next: () =>
      'Continue links every bank that the setup token shares. This service never learns how you sign in to them.',
    stop: () => 'disable the access at SimpleFIN',
  },
  entry: {
    label: 'Setup token',
    where: 'Create a setup token at SimpleFIN, which opens in a new tab',
    hint: 'Then copy it, and paste it here. It works only once.',
    problems: {
      unreadable:
        'This is not a setup token. It is one long line of letters and digits: copy it again, all of it.',
      insecure: 'This setup token leads to an address without encryption (https), which is not accepted.',
      own: 'This setup token is one of this service, whose accounts are here already. Create one at SimpleFIN.',
    },
  },
};

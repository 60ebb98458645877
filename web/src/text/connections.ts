import type { Connection } from '#client';
import { counted } from '../format/numbers.ts';
import { providerTexts } from './kinds.ts';
import { translated } from './translated.ts';

export const CONNECTIONS = translated('CONNECTIONS', {
  title: 'Connections',
  link: 'Link a bank',
  none: 'No bank is linked yet',
  noneText:
    'Link a bank or a broker once. Before anything is shared, you see who receives it and what, and you can end it at any time.',
  actionsOf: (bank: string) => `Actions for ${bank}`,
  reauthorize: 'Reauthorise',
  refresh: 'Refresh',
  delete: 'Delete',
  open: 'Details and consents',
  accounts: (count: number) => counted(count, 'account', 'accounts'),
  noAccounts: 'No account has been listed yet.',
  settling: 'Accounts are being listed…',
  refreshed: (ago: string) => `Refreshed ${ago}`,
  neverRefreshed: 'Not refreshed yet',
  until: (day: string) => `Consent until ${day}`,
  endless: 'Consent without an end',
  unavailable: 'No longer listed',
  linkedTwice: 'Linked twice',
  countedOnce: 'linked twice, counted once',
  notInTotals: 'not in totals',
  status: {
    pending: 'Setting up',
    active: 'Connected',
    expiring: 'Expires soon',
    expired: 'Consent expired',
    revoked: 'Deleted',
  },
  daysLeft: (days: number) => (days < 1 ? 'Expires today' : `Expires in ${counted(days, 'day', 'days')}`),
  type: {
    transaction: 'Everyday',
    savings: 'Savings',
    'credit-card': 'Credit card',
    loan: 'Loan',
    investment: 'Investment',
    'term-deposit': 'Term deposit',
    other: 'Other',
  },
  refreshing: {
    justNow: (bank: string) => `${bank}: read again just now`,
    recent: (ago: string, again: string) => `Refreshed ${ago}. The bank can be asked again ${again}.`,
    balances: (read: number, all: number) =>
      read === all
        ? `${counted(read, 'balance', 'balances')} read.`
        : `${read} of ${counted(all, 'balance', 'balances')} read.`,
    runs: (runs: number) =>
      runs === 0
        ? 'No enabled sync reads this bank.'
        : `${counted(runs, 'sync', 'syncs')} started. A run in progress continues.`,
  },
  failed: {
    reauthorize: (bank: string) => `${bank} cannot be reauthorised now`,
    refresh: (bank: string) => `${bank} was not refreshed`,
    delete: (bank: string) => `${bank} was not deleted`,
  },
  deleting: {
    title: (bank: string) => `Delete ${bank}?`,
    does: 'This cannot be undone. It will:',
    accounts: (count: number) => `remove ${counted(count, 'account', 'accounts')} from Tributary`,
    stops: (names: readonly string[]) =>
      `stop the ${names.length === 1 ? 'sync' : 'syncs'} ${names.join(', ')}`,
    looking: 'stop the syncs that read it; looking up which…',
    unknown: 'stop every sync that reads it',
    syncsFailed: 'Which syncs read it could not be looked up',
    stays: 'What was delivered to your destinations stays there.',
  },
});

/** The status of a connection, in the words of its provider where they differ. */
export function connectionStatus({ status, provider }: Pick<Connection, 'status' | 'provider'>): string {
  return status === 'invalidated' ? providerTexts(provider).invalidated : CONNECTIONS.status[status];
}

export const LINKED = translated('LINKED', {
  bank: 'bank',
  completed: (what: string) => `Your ${what.toLowerCase()} is linked`,
  completedText: 'Its accounts appear below as soon as they have been listed.',
  twice: 'These accounts are already linked',
  twiceText:
    'Another connection brings them as well. Totals count them once; delete one of the two unless you need both.',
  failed: (what: string) => `Your ${what.toLowerCase()} was not linked`,
  unknown: 'Nothing was shared. You can start again at any time.',
  reasons: {
    consent_denied: 'Consent was refused at the bank. Nothing was shared.',
    cancelled: 'You cancelled. Nothing was shared.',
    authentication_failed: 'The bank could not sign you in. Nothing was shared.',
    timeout: 'The bank took too long to answer. Try again in a few minutes.',
    institution_error: 'The bank reported an error of its own. Try again later.',
    not_eligible: 'The bank does not offer this for your accounts.',
    session_expired: 'Linking took longer than 30 minutes. Start again.',
    connection_limit: 'Your plan has no free connection. Delete one, or change the plan.',
    connection_deleted: 'The connection was deleted in the meantime.',
    too_many_attempts: 'The page of the other service was opened too often. Start again here.',
    institution_mismatch: 'You signed in at another bank than the one to reauthorise.',
  },
});

/** Where a person chose one bank, and the vendor's page linked another. */
export const OTHER_BANK = translated('OTHER_BANK', {
  title: (linked: string, chosen: string) => `${linked} was linked, not ${chosen}`,
  text: (chosen: string, through: string) =>
    `You chose ${chosen}, but another one was picked, through ${through}. Link ${chosen} as well, or keep it as it is.`,
  link: (chosen: string) => `Link ${chosen}`,
  keep: 'Keep it as it is',
  failed: 'That did not work',
});

export const NEW_CONNECTION = translated('NEW_CONNECTION', {
  title: 'Link a bank',
  intro: 'Choose your bank or broker. Before anything is shared, you see who receives it and what.',
  search: 'Search by name',
  ways: (count: number) => `${count} ways to link it`,
  choose: (bank: string) => `How to link ${bank}`,
  called: (way: string, bank: string) => `${way} (${bank})`,
  outage: 'Outage now',
  closed: 'Not offered',
  results: (count: number) => counted(count, 'institution', 'institutions'),
  none: 'No institution found',
  noneText: (text: string) => `Nothing is called “${text}”. Try a part of the name.`,
  nothing: 'No provider is set up, so there is nothing to link yet.',
  failed: (bank: string) => `${bank} cannot be opened now`,
});

export const CONNECTION = translated('CONNECTION', {
  accounts: 'Accounts',
  consents: 'Consents',
  consentsAside: 'Every consent this connection has had',
  noConsents: 'No consent is recorded.',
  ends: 'Ends',
  ended: 'Ended',
  shares: 'Shares',
  status: 'Status',
  reason: 'Reason',
  never: 'No end',
  consentStatus: {
    active: 'Active',
    expiring: 'Expires soon',
    expired: 'Expired',
    withdrawn: 'Withdrawn',
  },
});

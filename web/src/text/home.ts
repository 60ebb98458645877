import { counted, listText } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const HOME = translated('HOME', {
  title: 'Home',
  balances: 'Balances',
  observed: (ago: string) => `As of ${ago}`,
  net: (currency: string) => `Balances in ${currency}, less what is owed`,
  noBalance: 'No balance',
  investments: 'Investments',
  investmentsText: 'By the brokers’ prices now; cash at a broker is not counted.',
  investmentsLocked:
    'Your plan does not include brokerage data, so what you hold at brokers is not counted here.',
  notRead: (count: number) =>
    `${counted(count, 'more account is', 'more accounts are')} not read here; see holdings.`,
  holdings: 'See holdings',
  unavailable: 'Cannot be read now',
  lacks: (accounts: readonly string[]) => `Without ${listText(accounts)}, which cannot be read now.`,
  none: 'Welcome to Tributary',
  noneText:
    'Link a bank to see its balances here, and to copy its transactions to wherever you work with them.',
  begin: 'Show me how',
  allUnavailable: 'None of your accounts could be read just now.',
  attention: 'Needs you',
  attentionCount: (count: number) => counted(count, 'item', 'items'),
  showAll: (count: number) => `Show all ${count}`,
  showFewer: 'Show fewer',
  sign: {
    notCounted: 'Not counted yet',
    question:
      'Is this what you owe, or is it in credit? Your bank does not say; until you do, it is not counted.',
    owed: 'I owe this',
    in_credit: 'It is in credit',
    of: (answer: string, account: string) => `${answer}: ${account}`,
    failed: 'The answer was not saved',
  },
  runs: 'Recent runs',
  noRuns: 'No sync has run yet.',
  createSync: 'Copy your accounts to where you work with them',
  run: {
    queued: 'Waiting',
    running: 'Running',
    succeeded: 'Succeeded',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  delivered: (added: number, updated: number) =>
    added === 0 && updated === 0
      ? 'Nothing new'
      : `${counted(added, 'row', 'rows')} added${updated === 0 ? '' : `, ${counted(updated, 'row', 'rows')} updated`}`,
  runRejected: (count: number) => counted(count, 'row rejected', 'rows rejected'),
  connection: {
    expiring: (days: number) =>
      days < 1 ? 'The consent ends today' : `The consent ends in ${counted(days, 'day', 'days')}`,
    expired: 'The consent has ended; nothing is read any more',
    invalidated: 'The access that was given does not work any more',
  },
  sync: {
    destination_auth_expired: 'The destination does not accept the sign-in any more',
    destination_resource_missing: 'What it writes to is gone from the destination',
    destination_disabled: 'The destination was disabled after too many failures',
    connection_lost: 'A bank it reads was deleted',
    consent_expired: 'The consent of a bank it reads has ended',
    account_unavailable: 'The bank no longer lists an account it reads',
    data_invalid: 'The bank sent something that cannot be read',
    run_failed: 'The last run failed',
  },
  linkedTwice: (name: string, more: number) =>
    more === 0
      ? `${name} is linked twice`
      : `${name} and ${counted(more, 'more account', 'more accounts')} are linked twice`,
  linkedTwiceText: 'Totals count it once. Delete this second connection unless you need both.',
  rejected: (count: number) =>
    count === 1
      ? '1 row of the last run could not be delivered'
      : `${count} rows of the last run could not be delivered`,
  unread: (count: number) =>
    counted(
      count,
      'row could not be read, so figures are without it',
      'rows could not be read, so figures are without them',
    ),
  seeRows: 'See why',
  destination: {
    incomplete: 'Not set up yet',
    reauth_required: 'The destination does not accept the sign-in any more; nothing is written to it',
    disabled: 'Disabled after too many failed deliveries; nothing is sent to it',
  },
  events: {
    failing: 'Events are not sent any more: its deliveries failed for days',
    gone: 'Events are not sent any more: it answered that it is gone',
  },
  runAgain: 'Run again',
  open: 'Open',
  finish: 'Finish',
  connect: 'Connect again',
  enable: 'Enable again',
  notConnected: (name: string) => `${name} cannot be connected now`,
  notEnabled: (name: string) => `${name} was not enabled`,
  failed: (name: string) => `${name} did not start`,
});

import { counted, listText, numberText } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const RECURRING = translated('RECURRING', {
  title: 'Recurring',
  upcoming: 'Next 30 days',
  upcomingNone: 'Nothing is expected in the next 30 days.',
  upcomingNote:
    'Worked out from earlier payments, so days and amounts are expectations. A pending payment does not count until it posts.',
  out: (currency: string) => `Expected to go out · ${currency}`,
  in: (currency: string) => `Expected to come in · ${currency}`,
  expected: (day: string) => `Expected about ${day}`,
  expectedToday: 'Expected about today',
  late: (days: number) => `Expected ${counted(days, 'day', 'days')} ago`,
  all: (count: number) => `Show all ${numberText(count)}`,
  fewer: 'Show fewer',
  payments: 'Payments',
  income: 'Income',
  paymentsNone: 'No payment comes regularly enough yet.',
  ended: 'Ended',
  cadence: {
    weekly: 'Every week',
    fortnightly: 'Every two weeks',
    four_weekly: 'Every four weeks',
    monthly: 'Every month',
    quarterly: 'Every three months',
    yearly: 'Every year',
  },
  about: (amount: string) => `about ${amount}`,
  total: (amount: string) => `About ${amount}`,
  varies: (least: string, most: string) => `Varies from ${least} to ${most}`,
  aYear: (amount: string) => `About ${amount} a year`,
  raised: (before: string, day: string) => `Was ${before} before ${day}`,
  next: (day: string) => `Next about ${day}`,
  lastSeen: (day: string) => `Last seen on ${day}`,
  count: (count: number) => counted(count, 'payment', 'payments'),
  none: 'Nothing recurring was found',
  noneText:
    'Payments are found here once they have come at least three times at regular intervals, or twice if they come once a year.',
  note: 'Found in posted transactions of the last 13 months. Transfers, loan accounts and payments of linked cards are left out.',
  missing: (accounts: readonly string[]) =>
    `Without ${listText(accounts)}, because transactions could not be read.`,
  short: (accounts: readonly string[]) =>
    `${listText(accounts)} ${accounts.length === 1 ? 'has' : 'have'} more transactions than are read here, so infrequent payments may be missing.`,
  comingUp: 'Coming up',
  comingUpAside: 'Next 14 days',
  comingUpMore: (count: number) => `And ${numberText(count)} more: see everything recurring`,
  comingUpAll: 'See everything recurring',
});

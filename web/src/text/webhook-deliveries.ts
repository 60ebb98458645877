import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const DELIVERIES = translated('DELIVERIES', {
  title: 'Deliveries',
  aside: 'The latest events, without the content of rows',
  none: 'Nothing was sent yet. Events appear here once a sync has run.',
  noneOfStatus: 'No delivery in the list ended so.',
  filter: 'Show deliveries',
  filters: { all: 'All', failed: 'Failed', succeeded: 'Delivered' },
  status: { succeeded: 'Delivered', failed: 'Failed' },
  types: { 'transactions.synced': 'Transactions', 'trades.synced': 'Trades' },
  rows: (added: number, updated: number, removed: number) =>
    [
      `${counted(added, 'row', 'rows')} new`,
      ...(updated === 0 ? [] : [`${updated} updated`]),
      ...(removed === 0 ? [] : [`${removed} removed`]),
    ].join(', '),
  attempts: (count: number) => counted(count, 'attempt', 'attempts'),
  duration: (ms: string) => `${ms} ms`,
  show: 'Show attempts',
  event: 'Event id',
  run: 'Run',
  attempt: (number: number) => `Attempt ${number}`,
  answered: (code: number) => `HTTP ${code}`,
  failures: {
    timeout: 'No answer in time',
    connection: 'No connection',
    refused_address: 'Address not allowed',
    answer_too_large: 'Answer too large',
  },
  answer: 'What it answered',
  latestAttempts: (count: number) => `The latest ${count} attempts`,
  again: 'Send again',
  againOf: (event: string) => `Send again: event ${event}`,
  resend: {
    title: 'Send this event again?',
    text: 'Tributary reads its rows from the bank as they are now, applies your rules and categories, and sends them in a new event. All rows are in data.new.',
    upsert:
      'Your receiver should store rows by their id, so that none is doubled. Nothing changes for later runs.',
    action: 'Send again',
    failed: 'The event was not sent again',
    working: 'Reading the bank and sending. You can leave this page open; this can take some minutes.',
  },
  window: {
    open: 'Send days again',
    title: 'Send a range of days again',
    text: 'Everything that was delivered for these days is read from the bank and sent again, in new events. Both days are included.',
    sync: 'Sync',
    from: 'First day',
    to: 'Last day',
    order: 'The first day comes before the last.',
    missing: 'Choose a day.',
    action: 'Send again',
    failed: 'The days were not sent again',
  },
  sent: {
    title: 'Sent again',
    partial: 'Sent again in part',
    text: (sent: number, deliveries: number) =>
      `Your receiver took ${counted(sent, 'row', 'rows')} in ${counted(deliveries, 'event', 'events')}.`,
    missing: (count: number) =>
      ` ${counted(count, 'row', 'rows')} no longer exist at the bank, or are left out by a rule.`,
    undelivered: (count: number) => ` The next run sends ${counted(count, 'more row', 'more rows')}.`,
    failure: (code: string) => ` It stopped early: ${code}.`,
  },
});

import type { RefusedReason, SetAsideField, SetAsideReason } from '../../../src/vocabulary/set-aside-rows.ts';
import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

function deliveredWords(added: number, updated: number): string {
  return [
    counted(added, 'row was added', 'rows were added'),
    ...(updated === 0 ? [] : [counted(updated, 'row updated', 'rows updated')]),
  ].join(', ');
}

/** One run of a sync. */
export const SYNC_RUN = translated('SYNC_RUN', {
  unknownFailure: (code: string) => `It could not be read (${code}).`,
  title: (name: string) => `Run of ${name}`,
  plainTitle: 'Run',
  back: 'Syncs',
  status: {
    queued: 'Waiting',
    running: 'Running',
    succeeded: 'Succeeded',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  trigger: {
    schedule: 'by schedule',
    api: 'over the API',
    dashboard: 'started here',
    webhook: 'asked for by the bank',
    resync: 'resync',
  },
  started: 'Started',
  ended: 'Ended',
  took: 'Took',
  by: 'Started by',
  days: 'Days',
  range: (from: string, to: string) => `${from} to ${to}`,
  queuedFor: 'Waiting since',
  live: 'Live',
  polling: 'Updated every few seconds',
  counts: 'Rows',
  count: {
    processed: 'Read',
    added: 'Added',
    updated: 'Updated',
    rejected: 'Rejected',
    skipped_by_rules: 'Skipped by rules',
  },
  rejectedText:
    'Rejected rows could not be read from the bank, or the destination cannot hold them as they are. They are tried again when they change.',
  accounts: 'Accounts',
  account: {
    waiting: 'Waiting',
    succeeded: 'Delivered',
    failed: 'Failed',
    incomplete: 'Incomplete',
  },
  incompleteText:
    'Not completely delivered yet: the run ended first, or the bank is still loading its history. The next run continues.',
  unchanged: 'Nothing new',
  rejected: (rows: number) => counted(rows, 'row rejected', 'rows rejected'),
  othersUpToDate: 'Everything else was up to date already.',
  line: (added: number, updated: number) =>
    [
      added === 0 ? '' : counted(added, 'row added', 'rows added'),
      updated === 0 ? '' : counted(updated, 'row updated', 'rows updated'),
    ]
      .filter((part) => part !== '')
      .join(', '),
  read: (rows: number) => `${counted(rows, 'row', 'rows')} read`,
  progress: {
    queued: 'The run waits for its turn. You can leave this page; the run continues.',
    running: 'Rows are read from the bank and delivered. You can leave this page; the run continues.',
  },
  cancel: 'Cancel run',
  cancelFailed: 'The run was not cancelled',
  cancelled:
    'This run was cancelled. What it had delivered by then counts; the next run continues from there.',
  succeeded: (added: number, updated: number) =>
    added + updated === 0 ? 'Everything was up to date already.' : `${deliveredWords(added, updated)}.`,
  rows: (where: string) => `Open ${where}`,
  deliveries: 'Deliveries of this webhook',
  destination: 'Go to the destination',
  sync: 'Go to the sync',
  runAgain: 'Run again',
  noLines: 'No account has been read yet.',
});

/** `failure.code` of a run: what happened and what to do. */
export const RUN_FAILURES_TEXT = translated('RUN_FAILURES_TEXT', {
  destination_auth_failed: {
    title: 'The destination no longer accepts the sign-in',
    text: 'The permission was withdrawn or has expired there. Connect the destination again; the next run delivers what waits.',
  },
  destination_resource_missing: {
    title: 'What the sync writes to is gone',
    text: 'The spreadsheet, tab, table or budget was deleted, renamed or is no longer shared. Restore it there or choose another target, then run the sync again.',
  },
  rate_limited: {
    title: 'The destination or the bank allowed no more requests',
    text: 'The run stopped and is retried automatically. What was delivered stays delivered.',
  },
  timeout: {
    title: 'The run took too long',
    text: 'It is retried automatically and continues from what was delivered. If it happens again, copy fewer accounts or a later first day.',
  },
  superseded: {
    title: 'A resync took its place',
    text: 'Someone asked to send everything again, which ended this run. You need not do anything.',
  },
  run_failed: {
    title: 'The run failed',
    text: 'A bank could not be read, or the destination did not accept the rows. The lines of the accounts below say more. It is retried automatically.',
  },
});

/** Why an account of a run, a dry run or a verification could not be read, by code of the error reference. */
export const ACCOUNT_FAILURES = translated<Readonly<Record<string, string>>>('ACCOUNT_FAILURES', {
  upstream_auth_failed:
    'The bank no longer accepts the sign-in, or the consent has ended. Renew the connection.',
  upstream_rate_limited: 'The bank allowed no more requests for now. It is retried automatically.',
  upstream_timeout: 'The bank took too long to answer. It is retried automatically.',
  upstream_unavailable: 'The bank is not available now. It is retried automatically.',
  upstream_failed: 'The bank reported an error of its own. It is retried automatically.',
  upstream_bad_request: 'The bank refused the request. If it happens again, look at the connection.',
  provider_wait: 'The bank asked to wait before it is read again. It is retried automatically.',
  gateway_unavailable: 'The connection to the bank was not available. It is retried automatically.',
  account_unavailable:
    'The bank no longer lists this account. Take it out of the sync, or share it again at the bank.',
  professional_required: 'Your plan does not include holdings and trades.',
  resource_missing: 'The account is no longer here. Take it out of the sync.',
  internal_error: 'Something unexpected happened in the service. It is retried automatically.',
});

const FIELDS: Readonly<Record<SetAsideField, string>> = {
  id: 'id',
  account: 'account',
  amount: 'amount',
  currency: 'currency',
  date: 'date',
  trade_date: 'date',
  symbol: 'security',
  quantity: 'quantity',
  price: 'price',
  total_amount: 'amount',
  row: 'row',
};

const REASONS: Readonly<Record<SetAsideReason, (what: string) => string>> = {
  missing: (what) => `The bank sent no ${what}.`,
  unreadable: (what) => `The ${what} that the bank sent cannot be read.`,
  out_of_range: (what) => `The ${what} that the bank sent is out of range.`,
  too_long: (what) => `The ${what} that the bank sent is too long.`,
  contradictory: (what) => `The bank sent two different values of the ${what}.`,
  other_account: () => 'The row names another account.',
};

const REFUSED: Readonly<Record<RefusedReason, string>> = {
  amount_not_taken: 'The amount has more digits or decimals than the destination takes.',
  other_currency: 'The currency is not the one of the destination.',
  day_not_taken: 'The destination does not take the date.',
  too_large: 'The row is larger than the destination takes.',
  refused: 'The destination refused the row.',
};

const refused = new Map<string, string>(Object.entries(REFUSED));
const words = new Map<string, (what: string) => string>(Object.entries(REASONS));
const names = new Map<string, string>(Object.entries(FIELDS));

interface Rejection {
  readonly origin: 'provider' | 'destination';
  readonly field: string | null;
  readonly reason: string;
}

/** Rows that a run could not deliver. */
export const REJECTED_ROWS = translated('REJECTED_ROWS', {
  title: 'Rejected rows',
  dismiss: 'Stop listing them on Home',
  dismissed: 'Home does not list these rows any more',
  dismissedText: 'In this browser, and until a run rejects other rows.',
  noDay: 'No day',
  noId: 'No id',
  why: ({ origin, field, reason }: Rejection) => {
    const what = names.get(field ?? 'row') ?? 'row';
    if (origin === 'destination') return refused.get(reason) ?? REFUSED.refused;
    return (words.get(reason) ?? REASONS.unreadable)(what);
  },
  more: (count: number) => `${counted(count, 'further row is', 'further rows are')} not listed here.`,
});

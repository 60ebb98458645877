import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

const accounts = (count: number) => counted(count, 'account', 'accounts');

/** The list of syncs, and what can be done with one. */
export const SYNCS = translated('SYNCS', {
  title: 'Syncs',
  create: 'New sync',
  none: 'Nothing is copied yet',
  noneText:
    'A sync copies transactions, holdings or trades to a spreadsheet, a budgeting app, a database or a webhook, and keeps them up to date.',
  noneLinked: 'Link a bank first. Then you can copy its transactions to wherever you work with them.',
  link: 'Link a bank',
  type: { transactions: 'Transactions', holdings: 'Holdings', trades: 'Trades' },
  copies: (what: string, count: number, where: string) => `${what} of ${accounts(count)} to ${where}`,
  status: {
    running: 'Running',
    attention: 'Needs attention',
    idle: 'Up to date',
    paused: 'Paused',
    fresh: 'Not run yet',
  },
  ran: (ago: string) => `Last run ${ago}`,
  never: 'Has not run yet',
  next: (when: string) => `next ${when}`,
  noNext: 'does not run while it is paused',
  run: 'Run now',
  pause: 'Pause',
  resume: 'Resume',
  actionsOf: (name: string) => `Actions for ${name}`,
  delete: 'Delete',
  follow: 'Follow the run',
  look: 'See what happened',
  failed: {
    run: (name: string) => `${name} did not start`,
    pause: (name: string) => `${name} was not paused`,
    resume: (name: string) => `${name} was not resumed`,
    delete: (name: string) => `${name} was not deleted`,
    resync: (name: string) => `${name} was not sent again`,
    backfill: (name: string) => `${name} did not start to fill in these days`,
    save: 'The change was not saved',
  },
  done: {
    pause: (name: string) => `${name} is paused`,
    pauseText: 'It runs again when you resume it. A run that was under way was cancelled.',
    resume: (name: string) => `${name} is resumed`,
    resumeText: 'It runs at its next scheduled time, or when you run it.',
    run: (name: string) => `${name} is running`,
    runText: 'New and changed rows arrive at the destination during the run.',
  },
  deleting: {
    title: (name: string) => `Delete ${name}?`,
    does: 'This cannot be undone. It will:',
    history: 'delete the sync with its settings and its run history',
    stops: 'end a run that is under way',
    stays: (where: string) =>
      `Rows that were delivered stay in ${where}, and so do the destination and rulesets.`,
    again:
      'If you set up another sync to the same destination later, it finds the rows by their ids and adds none twice where the destination can look them up.',
  },
});

/** `sync.attention.code`: what is wrong and the one action that fixes it. */
export const ATTENTION = translated('ATTENTION', {
  destination_auth_expired: {
    title: 'The destination no longer accepts the sign-in',
    text: 'Nothing is delivered until you connect it again. Rows that wait are delivered then; none is lost.',
    action: 'Connect it again',
  },
  destination_resource_missing: {
    title: 'What this sync writes to is gone',
    text: 'The spreadsheet, tab, table or budget was deleted or is no longer shared. Restore it there, or choose another one.',
    action: 'Choose another target',
  },
  destination_disabled: {
    title: 'The destination was disabled after too many failures',
    text: 'Check what receives the rows, then enable the destination again.',
    action: 'Go to the destination',
  },
  connection_lost: {
    title: 'A bank that this sync reads was deleted',
    text: 'Take its accounts out of the sync, or link the bank again and choose its accounts.',
    action: 'Change accounts',
  },
  consent_expired: {
    title: 'The consent of a bank that this sync reads has ended',
    text: 'Renew it at the bank. The next run then reads everything that happened meanwhile.',
    action: 'Renew the consent',
  },
  account_unavailable: {
    title: 'The bank no longer lists an account of this sync',
    text: 'It may be closed, or no longer shared. Take it out of the sync, or share it again at the bank.',
    action: 'Change accounts',
  },
  data_invalid: {
    title: 'The bank sent something that does not fit what it sent before',
    text: 'Nothing was removed at the destination. Everything is read again daily until it fits; you need not do anything.',
    action: 'See the last run',
  },
  run_failed: {
    title: 'The last run failed',
    text: 'It is retried automatically. See what happened, or run it now.',
    action: 'Run now',
  },
});

/** `sync.warnings`: what its settings bring about. @param names of the accounts */
export const SYNC_WARNINGS = translated('SYNC_WARNINGS', {
  same_account_twice: {
    title: 'One bank account is in this sync more than once',
    text: (names: readonly string[]) =>
      `${names.join(' and ')} are the same account at the bank, linked more than once. Each of its transactions is delivered once for each of them. Take all but one out of the sync if you do not want that.`,
    action: 'Change accounts',
  },
});

/** The page of one sync. */
export const SYNC = translated('SYNC', {
  overview: 'Overview',
  from: 'From',
  to: 'To',
  schedule: 'Runs',
  last: 'Last run',
  next: 'Next run',
  since: 'Rows since',
  sinceDay: (day: string) => `Rows since ${day}`,
  ruleset: 'Rules',
  noRuleset: 'None',
  paused: 'Paused',
  anyTime: 'Not scheduled',
  history: 'Run history',
  historyAside: 'The last 90 days',
  allRuns: 'All',
  filter: 'Show runs',
  noRuns: 'This sync has not run yet.',
  noRunsOf: 'No run of this kind in the last 90 days.',
  settings: 'Settings',
  change: 'Change',
  changeOf: (what: string) => `Change ${what.toLowerCase()}`,
  name: 'Name',
  nameMissing: 'Give it a name.',
  accounts: 'Accounts',
  accountsAndPlaces: 'Accounts and where they go',
  categories: 'Category mapping',
  columns: 'Columns',
  options: 'What is copied',
  standardColumns: 'The standard columns',
  categoriesMapped: (count: number) =>
    count === 0 ? 'None mapped' : counted(count, 'category mapped', 'categories mapped'),
  fixed:
    'What is copied, the destination and whether accounts have places of their own cannot change. To change them, delete this sync and make another.',
  saved: 'Saved',
  savedText: 'The next run follows the change.',
  more: 'More',
  tools: 'Check and repair',
  toolsText: {
    dryRun: 'What would the next run do? Reads at the bank and writes nothing.',
    verify: 'Does the destination show what the bank has? Compares row by row and writes nothing.',
    backfill: 'Read some days again and deliver what is missing or changed there.',
    resync: 'Forget what was delivered and send everything again.',
    export: 'Take the rows with you as a file, as this sync delivers them.',
  },
  dryRun: 'Dry run',
  verify: 'Verify',
  backfill: 'Fill in days',
  resync: 'Resync',
  export: 'Export',
});

export const RESYNC = translated('RESYNC', {
  title: (name: string) => `Send all rows of ${name} again?`,
  does: (day: string) => `Everything since ${day} is read at the bank and sent again:`,
  known:
    'Rows that are at the destination are found by their id and written over. Edits you made in the columns of this sync are lost.',
  webhook:
    'The webhook receives every row again. A receiver that does not remember ids will have them twice.',
  run: 'A run that is under way ends first.',
  action: 'Send everything again',
});

export const BACKFILL = translated('BACKFILL', {
  title: 'Fill in days',
  intro:
    'Reads these days again at the bank and delivers rows that are missing or have changed there. It removes nothing.',
  from: 'From',
  to: 'To',
  hint: (day: string) => `Not before ${day}, the first day of this sync.`,
  order: 'The first day must not be after the last.',
  action: 'Fill in these days',
});

export const EXPORT = translated('EXPORT', {
  title: 'Export rows',
  intro: 'Read live from your bank, after categories and rules, as this sync delivers them.',
  format: 'Format',
  formats: {
    csv: 'CSV, for spreadsheets',
    ofx: 'OFX, for accounting programs',
    ofx1: 'OFX 1.02, for programs that read no newer one',
    qif: 'QIF, for programs that read no OFX',
    jsonl: 'JSON lines, for programs',
  },
  from: 'From',
  to: 'To',
  fromHint: 'Empty: from the first day of the sync',
  toHint: 'Empty: until today',
  bom: 'Mark the file as UTF-8 (for older versions of Excel)',
  action: 'Download',
  reading: (size: string) => `Reading… ${size} so far`,
  stop: 'Stop',
  done: (name: string) => `${name} is downloaded`,
  failed: 'The file could not be read completely, so nothing was saved',
});

/** The latest runs of a sync beside each other. */
export const RUN_CHART = translated('RUN_CHART', {
  label: (count: number) => `The latest ${counted(count, 'run', 'runs')}`,
  description: (count: number, failed: number, most: number, longest: string) =>
    `${counted(count, 'run', 'runs')}, ${failed === 0 ? 'none failed' : `${counted(failed, 'failed', 'failed')}`}. At most ${counted(most, 'row', 'rows')} and ${longest} in a run.`,
  run: (at: string, status: string, rows: number, duration: string) =>
    `${at}: ${status}, ${counted(rows, 'row', 'rows')}, ${duration}`,
  rows: 'Rows',
  duration: 'Duration',
  started: 'Started',
  status: 'Status',
  mark: '×',
});

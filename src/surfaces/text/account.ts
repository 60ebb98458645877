import { type Html, html } from '../http/html.ts';
import { counted } from './frame.ts';

/** All account records of a person. */
export const ACCOUNTS = {
  title: 'All account records',
  text: 'What needs you in the account records that you are a member of, as far as it is known without asking the banks. A button switches this browser to that account record.',
  nothing: 'Nothing needs you here.',
  shown: 'This browser shows this account record now.',
  open: 'Switch',
  next: 'More account records',
  needs: {
    consents_ended: (count: number) =>
      `${counted(count, 'connection')} ${count === 1 ? 'has' : 'have'} to be renewed`,
    consents_ending: (count: number) => `The consent of ${counted(count, 'connection')} ends soon`,
    destinations: (count: number) =>
      `${counted(count, 'destination')} ${count === 1 ? 'receives' : 'receive'} nothing`,
    syncs: (count: number) =>
      `${counted(count, 'sync')} ${count === 1 ? 'fails or needs' : 'fail or need'} attention`,
    rows: (count: number) =>
      `${counted(count, 'row')} ${count === 1 ? 'was' : 'were'} rejected in the last run`,
  },
  places: { '/connections': 'Connections', '/destinations': 'Destinations', '/syncs': 'Syncs' },
} as const;

export const ACCOUNT = {
  title: 'Account',
  done: {
    email_mailed:
      'A link is on its way to the new address. Until you open it, you sign in with the address you have.',
    email_changed: 'You now sign in with the new e-mail address, and are signed out everywhere else.',
    name_changed: 'The name is saved.',
    timezone_changed: 'The time zone is changed.',
    caching_on: 'Caching is on again.',
    caching_off: 'Caching is off, and the cache is cleared.',
    account_chosen: 'You now see the other account record.',
  },
  others: {
    title: 'Other accounts',
    text: (count: number) => `You share ${count} account records. This browser shows one of them.`,
    account: 'Account record',
    submit: 'Switch',
    all: 'All account records, and what needs you there',
  },
  email: {
    title: 'E-mail address',
    text: (email: string): Html =>
      html`You sign in with <strong>${email}</strong>. Links for a new password go there too.`,
    mailed: 'A new address takes effect once you open the link that is mailed to it.',
    email: 'New e-mail address',
    current: 'Current password',
    submit: 'Change the e-mail address',
  },
  name: {
    title: 'Name',
    text: (email: string) =>
      `What you call this account record. Without a name, its members see ${email}, and others see that address with most of it covered.`,
    name: 'Name of the account record',
    hint: 'People who open a link of yours to connect a bank or a destination see it too, with the covered address.',
    submit: 'Save the name',
    fixed: (label: Html): Html => html`${label}. An owner can change it.`,
  },
  timezone: {
    title: 'Time zone',
    text: 'Days and months begin and end in this zone, here and in what syncs write. A schedule keeps its own.',
    zone: 'Time zone',
    submit: 'Save the time zone',
    fixed: (zone: string) => `${zone}. An owner can change it.`,
    /** Time zones that belong to no region. */
    general: 'General',
  },
  plan: {
    title: 'Plan',
    now: (plan: string, trial: Html | null, status: string): Html =>
      html`<strong>${plan}</strong>${trial === null ? '' : html` (${trial})`}, ${status}.`,
    trial: html`trial`,
    trialUntil: (day: Html): Html => html`trial, until ${day}`,
    table: 'What the plan allows',
    what: 'What',
    used: 'In use',
    allowed: 'Allowed',
    unlimited: 'Unlimited',
    hint: 'The operator of this service changes plans.',
  },
  caching: {
    title: 'Caching',
    text: 'Responses of banks can be kept for some minutes, encrypted, so that pages open faster and banks are called less often. Changing this clears the cache.',
    warning:
      'Without caching, many banks allow the balance of an account to be read only once in 15 minutes. Pages, apps and syncs share that reading; who asks again sooner is told when the next one is allowed.',
    choice: 'What a bank answers',
    on: 'May be kept for some minutes',
    off: 'Is read from the bank each time',
    submit: 'Save',
    fixed: (caching: boolean) => `Caching is ${caching ? 'on' : 'off'}. An owner can change it.`,
    invalid: 'Caching is on or off.',
  },
  export: {
    title: 'Export your data',
    text: 'Everything this service stores of the account record, as one JSON document: connections and consents, accounts, destinations, syncs and their runs, categories, saved views, rules, keys and apps without their secrets, events. Balances and transactions are not in it, since they are not stored here.',
    download: 'Download the export',
  },
  delete: {
    title: 'Delete everything',
    text: 'Deletes this account record with all connections, syncs, destinations and settings, for every member, permanently. The next page says exactly what will happen, and asks again.',
    open: 'Delete everything…',
  },
} as const;

/** What the deletion of an account record does. */
export const REMOVAL = {
  title: 'Delete everything',
  deleted: 'What will be deleted',
  record: (label: Html): Html =>
    html`The account record of <strong>${label}</strong>, with its categories, rules, settings and history.`,
  connections: (connections: number, accounts: number) =>
    `${counted(connections, 'connection')} with ${counted(accounts, 'account')}. Each consent is withdrawn where it was given; a token that the operator set up stays valid.`,
  syncs: (syncs: number, destinations: number) =>
    `${counted(syncs, 'sync')} and ${counted(destinations, 'destination')}. Nothing is written any more, and access to your spreadsheets, budgets and databases is revoked where the vendor allows it.`,
  access: 'Every API key, connected app, bridge app, setup token and webhook for events.',
  members: (emails: readonly string[]) =>
    `The access of ${counted(emails.length, 'member')}: ${emails.join(', ')}. People who share no other account record cannot sign in any more.`,
  stays: 'What stays',
  rows: 'Rows that syncs have written to your destinations. They are yours; delete them there.',
  banks: 'Your accounts at the banks. This service can only read.',
  when: 'When',
  atOnce: (days: number) =>
    `Everyone is signed out at once, and every key stops working. Banks and vendors are then notified; one that does not answer is asked again for up to ${days} days. None of this can be undone.`,
  download: 'Download your data',
  downloadFirst: (download: Html): Html => html`${download} first if you want to keep it.`,
  confirm: (email: string): Html => html`To confirm, type <strong>${email}</strong>`,
  submit: 'Delete everything for good',
  keep: 'Keep everything',
  unconfirmed: (email: string) => `Nothing was deleted: that is not the address to type, ${email}.`,
} as const;

/** For a person who has just done it, and is signed out. */
export const REMOVED = {
  title: 'Your account record is being deleted',
  closed: 'It can no longer be opened, and every key and app has stopped working.',
  withdrawing: (days: number) =>
    `The consents at your banks are being withdrawn, and access to your destinations is being revoked. That usually takes minutes. A bank or vendor that does not answer is asked again for up to ${days} days; then what is stored here is deleted anyway.`,
  nothingToDo: 'You need not do anything. Rows that were written to your destinations are still there.',
  others: (signIn: Html): Html => html`If you share another account record, ${signIn} to see it.`,
  signIn: 'sign in',
} as const;

/** What the pages of the settings have in common. */
export const SETTINGS = {
  account: 'Account',
  security: 'Security',
  notifications: 'Notifications',
  activity: 'Activity',
  operator: 'Operator',
  signedInAs: (email: string, role: string, record: Html): Html =>
    html`Signed in as ${email}, ${role} of the account record ${record}.`,
  otherRecord:
    'Nothing was changed: you have switched to another account in another tab. This page shows it now; check it before you continue.',
} as const;

import { type Html, html } from '../http/html.ts';

export const ACCOUNT = {
  title: 'Account',
  done: {
    email_mailed:
      'A link is on its way to the new address. Until you open it, you sign in with the address you have.',
    email_changed: 'You now sign in with the new e-mail address, and are signed out everywhere else.',
    timezone_changed: 'The time zone is changed.',
    caching_on: 'Caching is on again.',
    caching_off: 'Caching is off, and what was cached is forgotten.',
    account_chosen: 'You now see the other account record.',
  },
  others: {
    title: 'Other accounts',
    text: (count: number) => `You share ${count} account records. This browser shows one of them.`,
    account: 'Account of',
    submit: 'Switch',
  },
  email: {
    title: 'E-mail address',
    text: (email: string): Html =>
      html`You sign in with <strong>${email}</strong>. Links for a new password go there too.`,
    mailed: 'A new address counts once you open the link that is mailed to it.',
    email: 'New e-mail address',
    current: 'Current password',
    submit: 'Change the e-mail address',
  },
  timezone: {
    title: 'Time zone',
    text: 'Days and months begin and end in this zone, here and in what syncs write. A schedule keeps its own.',
    zone: 'Time zone',
    submit: 'Save the time zone',
    fixed: (zone: string) => `${zone}. An owner can change it.`,
    /** The zones that are of no part of the world. */
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
    text: 'What a bank answers can be kept for some minutes, encrypted, so that pages open faster and the bank is asked less. A change forgets what is kept now.',
    choice: 'What a bank answers',
    on: 'May be kept for some minutes',
    off: 'Is read from the bank each time',
    submit: 'Save',
    fixed: (caching: boolean) => `Caching is ${caching ? 'on' : 'off'}. An owner can change it.`,
    invalid: 'Caching is on or off.',
  },
  export: {
    title: 'Export your data',
    text: 'Everything this service stores of the account record, as one JSON document: connections and consents, accounts, destinations, syncs and their runs, categories, rules, keys and apps without their secrets, events. Balances and transactions are not in it, since they are not stored here.',
    download: 'Download the export',
  },
  delete: {
    title: 'Delete everything',
    text: 'Deletes this account record with all connections, syncs, destinations and settings, for every member, for good. The next page says exactly what will happen, and asks once more.',
    open: 'Delete everything…',
  },
} as const;

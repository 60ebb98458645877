import { type Html, html } from '../http/html.ts';
import { counted } from './counted.ts';

/** What the deletion of an account record does. */
export const REMOVAL = {
  title: 'Delete everything',
  deleted: 'What will be deleted',
  record: (email: string): Html =>
    html`The account record of <strong>${email}</strong>, with its categories, rules, settings and history.`,
  connections: (connections: number, accounts: number) =>
    `${counted(connections, 'connection')} with ${counted(accounts, 'account')}. Each consent is withdrawn at its bank.`,
  syncs: (syncs: number, destinations: number) =>
    `${counted(syncs, 'sync')} and ${counted(destinations, 'destination')}. Nothing is written any more, and access to your spreadsheets, budgets and databases is given back where the vendor allows it.`,
  access: 'Every API key, connected app, bridge app, setup token and webhook for events.',
  members: (emails: readonly string[]) =>
    `The access of ${counted(emails.length, 'member')}: ${emails.join(', ')}. People who share no other account record cannot sign in any more.`,
  stays: 'What stays',
  rows: 'Rows that syncs have written to your destinations. They are yours; delete them there.',
  banks: 'Your accounts at the banks. This service can only read.',
  when: 'When',
  atOnce: (days: number) =>
    `Everybody is signed out at once, and every key stops working. Banks and vendors are then notified; one that does not answer is asked again for up to ${days} days. None of this can be undone.`,
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
  closed: 'Nobody can open it any more, and every key and app has stopped working.',
  withdrawing: (days: number) =>
    `The consents at your banks are being withdrawn, and access to your destinations is being given back. That takes minutes as a rule. A bank or vendor that does not answer is asked again for up to ${days} days; then what is stored here is deleted all the same.`,
  nothingToDo: 'You need not do anything. Rows that were written to your destinations are still there.',
  others: (signIn: Html): Html => html`If you share another account record, ${signIn} to see it.`,
  signIn: 'sign in',
} as const;

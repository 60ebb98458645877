import { counted } from '../format/numbers.ts';
import { translated } from './translated.ts';

export const DESTINATIONS = translated('DESTINATIONS', {
  title: 'Destinations',
  add: 'Add a destination',
  none: 'No destination yet',
  noneText:
    'A destination is where a sync copies your transactions: a spreadsheet, a database, a budgeting app, or a server of your own.',
  noTarget: 'Nothing is chosen to write to yet',
  tab: (spreadsheet: string, tab: string) => `${spreadsheet} · ${tab}`,
  status: {
    active: 'Active',
    incomplete: 'Not finished',
    reauth_required: 'Sign-in needed',
    disabled: 'Disabled',
  },
  noSync: 'No sync writes here',
  writtenBy: (names: readonly string[]) => `Written to by ${names.join(', ')}`,
  syncs: (count: number) => counted(count, 'sync writes here', 'syncs write here'),
  finish: 'Finish setting up',
  signIn: 'Sign in again',
  newSecret: 'Update the secret',
  enable: 'Enable',
  actionsOf: (name: string) => `Actions for ${name}`,
  details: 'Open',
  failed: {
    link: (name: string) => `The sign-in at ${name} cannot be opened now`,
    enable: (name: string) => `${name} was not enabled`,
    rename: (name: string) => `${name} was not renamed`,
    delete: (name: string) => `${name} was not deleted`,
    rotate: 'The signing secret was not replaced',
    secret: 'The new secret was not accepted',
    address: 'The address was not changed',
  },
});

/** How connecting ended, for a person who has just come back. */
export const RETURNED = translated('RETURNED', {
  completed: 'You are signed in',
  completedText: 'Tributary may now write there, until you withdraw it here or there.',
  finding: 'Finishing the sign-in…',
  unknownLink: 'The new destination is in the list. Open it to choose what it writes to.',
  failed: 'Nothing was connected',
  unknown: 'Nothing was shared. You can start again at any time.',
  reasons: {
    access_denied: 'Access was refused there, so nothing was shared. You can start again at any time.',
    cancelled: 'You cancelled. Nothing was shared.',
    session_expired: 'Signing in took longer than 30 minutes. Start again.',
    destination_deleted: 'The destination was deleted in the meantime.',
  },
});

export const DESTINATION = translated('DESTINATION', {
  facts: 'Details',
  type: 'Type',
  writesTo: 'Writes to',
  open: (vendor: string) => `Open in ${vendor}`,
  status: 'Status',
  takes: 'Takes',
  holds: { transactions: 'transactions', holdings: 'holdings', trades: 'trades' },
  columns: 'Columns',
  columnsOfSync: 'Chosen in the sync that writes here',
  added: 'Added',
  changed: 'Last changed',
  syncs: 'Syncs that write here',
  noSync: 'No sync writes here yet.',
  neverSynced: 'Not run yet',
  lastSynced: (ago: string) => `Last run ${ago}`,
  syncStatus: { idle: 'Idle', running: 'Running', attention: 'Needs attention' },
  setUpSync: 'Set up a sync',
  ready: 'Ready to be written to',
  readyText: 'Set up a sync to copy your accounts there.',
  target: 'Choose what it writes to',
  targetAside: 'The last step',
  rename: 'Rename',
  name: 'Name',
  nameMissing: 'Give it a name.',
  changeTarget: 'Change what it writes to',
  changeTargetText: 'No sync writes here, so it can be moved. What was written before stays where it is.',
  targetFixed: (names: readonly string[]) =>
    `${names.length === 0 ? 'A sync already writes' : `${names.join(', ')} already ${names.length === 1 ? 'writes' : 'write'}`} here. Tributary remembers which rows it has delivered, so in another place they would be missing. To write elsewhere, add another destination and set up a sync to it.`,
  reauthorize: 'Sign in again',
  reauthorizeWhy: (vendor: string) =>
    `You sign in at ${vendor} and allow access again, then come back here. The target, the syncs and the rows delivered stay. The permission you gave before ends.`,
  reauthorizeText: (vendor: string) =>
    `${vendor} does not accept the sign-in any more. Sign in again: the target, the syncs and the rows delivered stay.`,
  secretText: (vendor: string) =>
    `${vendor} does not accept the secret any more. Enter a new one: the target, the syncs and the rows delivered stay.`,
  replaceSecret: 'Update the secret',
  lapsed: 'It cannot be written to',
  disabled: 'Deliveries are stopped',
  gone: 'Your receiver answered 410 Gone, which tells Tributary to stop. When it is ready again, enable it here. Nothing is lost in between.',
  failing: (last: string) =>
    `Five runs in a row failed over at least a day. ${last}Fix the receiver, then enable it here. Nothing is lost in between.`,
  lastAnswer: (answer: string) => `The last attempt ended with: ${answer}. `,
  enabled: 'It is enabled again',
  enabledText: 'The next run of its sync sends what has waited.',
  renamed: 'It is renamed',
  renamedText: 'Only its name here has changed.',
  moved: 'It writes to the new place from now on',
  movedText: 'What was written before stays where it is.',
  secretReplaced: 'The new secret is accepted',
  secretReplacedText: 'The next run uses it.',
  address: 'Change the address',
  addressText:
    'From the next delivery on, events go to the new address, signed with the same secret. Rows that were delivered before are not sent again: send a range of days again below, or resync.',
  addressLabel: 'New address',
  addressMissing: 'Enter an address.',
  delete: 'Delete',
  deleting: {
    title: (name: string) => `Delete ${name}?`,
    does: 'This cannot be undone. It will:',
    stops: (names: readonly string[]) =>
      `delete the ${names.length === 1 ? 'sync' : 'syncs'} ${names.join(', ')}, with the history of runs`,
    stopsUnnamed: (count: number) =>
      `delete ${counted(count, 'sync', 'syncs')} that ${count === 1 ? 'writes' : 'write'} to it, with the history of runs`,
    stays: 'Everything that was written there stays there. Nothing is removed at the other end.',
    running: 'A run is writing to it at the moment. Wait until it ends, or cancel it, then delete again.',
  },
});

import type { ChosenKind } from '../../vocabulary/notification-kinds.ts';
import { type Html, html } from '../http/html.ts';

const NAMES: Readonly<Record<ChosenKind, string>> = {
  consent_expiring: 'A consent expires soon',
  sync_attention: 'A sync needs attention',
  large_transaction: 'Large transaction',
  unusual_transaction: 'Unusual transaction',
  new_device: 'Sign-in with a new browser',
  browser_added: 'A browser was added',
};

export const NOTIFICATIONS = {
  title: 'Notifications',
  done: {
    saved: 'Your choices are saved.',
    amount_added: 'The amount is added.',
    amount_removed: 'The amount is removed.',
    device_added: 'This browser now receives notifications.',
    device_removed: 'The browser is removed.',
    tested: 'A test notification is on its way.',
  },
  text: 'What you are notified of, and how. Other members of the account record choose for themselves.',
  choices: {
    title: 'What you are notified of',
    table: 'Kinds of notifications',
    kind: 'Kind',
    email: 'E-mail',
    push: 'Browser',
    details: 'Details',
    names: NAMES,
    detailsHint:
      'Without details, a notification names no bank, account, sync or amount. With details, it does: e-mails are then readable by the mail servers on their way, and anyone who sees your screen can read notifications of browsers.',
    noMail: 'No mail server is set up here, so no e-mail is sent.',
    box: (kind: string, column: string) => `${kind}: ${column}`,
    submit: 'Save',
  },
  amounts: {
    title: 'When a transaction is large',
    text: 'A transaction that a sync delivers is large from this amount on, paid or received. Without an amount, no transaction is large. Amounts of transactions are compared while a sync runs and are not stored.',
    from: (amount: string, sync: string) => `${amount}, ${sync}`,
    every: 'all syncs',
    gone: 'another sync',
    remove: 'Remove',
    amount: 'Amount',
    currency: 'Currency',
    sync: 'Sync',
    all: 'All syncs',
    submit: 'Add the amount',
    invalid: 'Write an amount above zero, such as 1000 or 250.50, and a currency of three letters.',
  },
  devices: {
    title: 'Browsers that receive notifications',
    none: 'No browser receives notifications yet.',
    since: (browser: string, day: Html): Html => html`${browser}, since ${day}`,
    unnamed: 'A browser',
    remove: 'Remove',
    add: 'Notify me in this browser',
    unsupported:
      'This browser cannot receive notifications here. On a phone, add Tributary to the home screen first.',
    blocked: 'Notifications of this site are blocked. Allow them in the settings of the browser.',
    failed: 'The browser could not be added.',
    fresh: 'You signed in too long ago for this. Sign in again.',
  },
  test: {
    title: 'Test',
    text: 'Sends a notification to every browser above, and by e-mail if a mail server is set up.',
    submit: 'Send a test notification',
    refused:
      'Nothing was sent. Wait a minute between tests. Tests need a browser above or a mail server, and count towards your notifications of the day.',
  },
} as const;

export const UNSUBSCRIBE = {
  title: 'Turn off e-mails',
  ask: (kind: string): Html =>
    html`Do you want to stop getting e-mails of the kind <strong>${kind}</strong>?`,
  submit: 'Turn off these e-mails',
  done: (kind: string): Html => html`E-mails of the kind <strong>${kind}</strong> are turned off.`,
  settings: 'All notification settings',
} as const;

import { type Html, html } from '../http/html.ts';

/** Where a person decides whether an app gets the access it asks for. */
export const CONSENT = {
  title: 'Connect an app?',
  unnamed: 'An app without a name',
  asks: (name: string, origin: Html | string): Html =>
    html`<strong>${name}</strong> asks for access to your data. ${origin}`,
  ownName: 'It chose this name itself, and no one has checked it.',
  vouchedName: (host: string): Html =>
    html`It says so at <strong>${host}</strong>, whose owner vouches for it; no one else has checked it.`,
  accountRecord: 'Account record',
  chooser: {
    label: 'Give it access to another account record instead',
    submit: 'Show what it may do there',
  },
  onlyRecord: (record: Html): Html => html`It gets access to ${record} and to no other account record.`,
  signedIn: 'Signed in as',
  opens: 'Opens',
  returnsTo: 'Returns to',
  warnings: {
    loopback: html`<strong>It returns to a program on this computer</strong>, and any program here can call itself that. Continue only if you have just started this yourself.`,
    app: html`<strong>It returns to an app on this device</strong>, and any app here can call itself that. Continue only if you have just started this yourself.`,
    web: (host: string): Html =>
      html`The owner of <strong>${host}</strong> receives the access. Continue only if you know and trust it.`,
    elsewhere: (place: string, host: string): Html =>
      html`<strong>It returns to ${place}, not to ${host}.</strong> Continue only if you know and trust both.`,
  },
  groups: {
    reads: 'It may',
    brokerage: 'Only if you allow it, it may',
    writes: 'Only if you allow it, it may change things:',
  },
  scope: (allows: string, scope: string): Html => html`${allows} (<code>${scope}</code>)`,
  refused: (scope: Html, why: string): Html => html`${scope}: ${why}`,
  objections: {
    role: 'you can only read this account record',
    plan: 'the plan does not include it',
  },
  never: 'You can disconnect the app at any time. It never sees your password, and cannot create API keys.',
  allow: 'Allow',
  deny: 'Deny',
  notices: {
    changed:
      'Your session or its account record has changed since you opened this page. Read it again, then decide.',
    nothing_chosen: 'You chose nothing that the app may do. Choose something, or deny.',
    full: 'Too many apps are connected to this account record. Disconnect one of yours in the security settings, then try again.',
  },
  gone: {
    title: 'This request has ended',
    text: 'It has expired, was answered already, or was opened by someone else. Go back to the app and start over.',
  },
  going: {
    title: 'Back to the app',
    text: 'You are on your way back to the app.',
    proceed: 'Continue',
  },
  closed: {
    title: 'The plan does not include apps',
    text: 'Apps use the API, which the plan of this account record does not include.',
    back: 'Back to the app',
  },
} as const;

/** Where a request of an app is refused. */
export const APP_REFUSALS = {
  title: 'The app was not connected',
  unanswerable: (error: string): Html => html`What the app sent cannot be answered: <code>${error}</code>`,
  nothingShared: 'Nothing was shared.',
  startOver: 'Go back to the app and start over.',
  notGranted: (error: string, description: string): Html =>
    html`What the app asked for cannot be granted: <code>${error}: ${description}</code>`,
  backTo: (place: string) => `Back to ${place}`,
  addressTooLong: 'The address is too long.',
  responseMode: 'The response mode is not supported; only "query" is.',
  busy: 'Too many apps are being looked up. Try again.',
} as const;

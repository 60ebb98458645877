import { html } from '../http/html.ts';

/** The page at the end of a link, and the home page without the web application. */
export const HOME = {
  title: 'Tributary',
  about:
    'This is Tributary, a service that links bank accounts and forwards their data to the destinations their owner chooses.',
  signIn: 'Sign in',
  reference: 'API reference',
  referenceText: 'read about every operation and try it',
  guides: 'Guides',
  guidesText: 'linking, syncing, webhooks, errors, configuration',
  status: 'Status',
  statusText: 'whether everything works',
  firstRun: {
    title: 'No one can sign in yet',
    text: html`<p>Tributary is running. The first person opens a link that only the person who started the service can see:</p>
<ul>
<li>If it was started on a terminal, the link is printed there.</li>
<li>Otherwise it is in the file <code>first-run-link</code> in the data directory: <code>cat "$DATA_DIR/first-run-link"</code>.</li>
</ul>
<p>The link works once, for a limited time. Each start of the service makes a new one.</p>`,
    more: 'More about the first person',
  },
  /** What was being linked, by the query parameter that says how it ended. */
  linked: {
    link_session: 'Your bank or broker',
    destination_link: 'Your destination',
  },
  completed: (subject: string) => `${subject} is linked`,
  completedText: html`<strong>You can close this window.</strong>`,
  failed: (subject: string) => `${subject} was not linked`,
  failedText: html`Nothing was shared. <strong>You can close this window</strong> and start again where you began.`,
  reason: (code: string) => html`Reason: <code>${code}</code>`,
} as const;

export const STATUS = {
  title: 'Status',
  well: 'Everything works.',
  wrong: 'Not everything works right now.',
  service: 'Service',
  parts: { api: 'Pages and API', database: 'Database', syncs: 'Syncs' },
  states: {
    working: { text: 'Working', tone: 'ok' },
    delayed: { text: 'Delayed', tone: 'warn' },
    unreachable: { text: 'Unreachable', tone: 'fail' },
    connected: { text: 'No problem known', tone: 'ok' },
  },
  providers: 'Banks and brokers',
  hint: 'A single bank may have problems that are not shown here. This page is updated every minute.',
} as const;

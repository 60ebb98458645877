import { type Html, html } from '../http/html.ts';
import { counted } from './frame.ts';

/** The pages of the operator, which share a title. */
export const OPERATOR = {
  title: 'Operator',
  parts: 'Operator',
  accounts: 'Account records',
  health: 'Health',
  sandbox: 'Sandbox',
} as const;

export const OPERATOR_ACCOUNTS = {
  title: 'Account records',
  changed: 'The account record is changed.',
  none: 'There are no more account records.',
  next: 'Next page',
  status: (plan: string, status: string): Html => html`${plan}, ${status}`,
  statusUntil: (plan: string, status: string, day: Html): Html => html`${plan}, ${status} until ${day}`,
  closing: (plan: string, day: Html): Html => html`${plan}, being deleted since ${day}`,
  has: (
    count: {
      readonly members: number;
      readonly connections: number;
      readonly syncs: number;
      readonly destinations: number;
    },
    since: Html,
  ): Html =>
    html`${[
      counted(count.members, 'member'),
      counted(count.connections, 'connection'),
      counted(count.syncs, 'sync'),
      counted(count.destinations, 'destination'),
    ].join(', ')}; since ${since}`,
  change: 'Change',
  changeOf: (name: string) => `Change ${name}`,
} as const;

export const OPERATOR_NEW_ACCOUNT = {
  title: 'New account record',
  email: 'E-mail address',
  name: 'Name (optional)',
  nameHint: 'Such as the name of a client. Its owners can change it.',
  plan: 'Plan',
  noPlan: 'Choose a plan.',
  timezone: 'Time zone',
  submit: 'Create the account record',
} as const;

export const OPERATOR_ACCOUNT = {
  created: (id: string): Html =>
    html`The account record is created. This prints a link for its first owner: <code>tributary account invite --account ${id} --role owner --email …</code>`,
  title: (name: string) => `Account record ${name}`,
  since: (id: string, day: Html): Html =>
    html`<code>${id}</code>, since ${day}. A change takes effect at once.`,
  sinceOnTrial: (id: string, day: Html, until: Html): Html =>
    html`<code>${id}</code>, since ${day}, trial until ${until}. A change takes effect at once.`,
  plan: 'Plan',
  status: 'Status',
  trialHint: '“trialing” begins a trial of 14 days, unless one is running.',
  limits: 'Limits',
  planLimits: 'Those of the plan',
  ownLimits: 'These, where empty means no limit:',
  submit: 'Save',
  back: 'Back',
  invalidLimit: (name: string) => `The limit of ${name} is a whole number, or empty for no limit.`,
} as const;

export const OPERATOR_HEALTH = {
  title: 'Health',
  allWell: 'All checks passed.',
  wrong: (found: number, checks: number) => `${found} of ${checks} checks found something.`,
  outcomes: { ok: 'OK', warn: 'Warning', fail: 'Failing' },
  hint: html`These are the checks of <code>tributary doctor</code> that need the storage and the providers. Providers are asked each time this page opens.`,
} as const;

export const OPERATOR_SANDBOX = {
  done: {
    fault_armed: 'The fault is armed.',
    faults_cleared: 'The faults of the simulator are cleared.',
    clock_moved: 'The clock is moved forward.',
  },
  armed: {
    title: 'Armed faults',
    none: 'No fault is armed: every simulator answers as it should.',
    every: (kind: string, route: string): Html => html`${kind} at <code>${route}</code>, every request`,
    more: (kind: string, route: string, count: number): Html =>
      html`${kind} at <code>${route}</code>, ${String(count)} more`,
    clear: 'Clear',
  },
  arming: {
    title: 'Arm a fault',
    simulator: 'Simulator',
    kind: 'What goes wrong',
    count: 'For how many requests',
    route: 'At which requests',
    routeHint: html`* stands for any characters: <code>GET /v1/*</code>`,
    submit: 'Arm the fault',
    invalidCount: 'A fault hits 1 to 10,000 requests.',
    noSimulator: 'There is no such simulator.',
  },
  clock: {
    title: 'Clock',
    fixed: 'The clock cannot be moved: a provider that is not simulated uses the actual time.',
    now: (moment: string, hours: number): Html =>
      html`The service and its simulators agree that it is <strong>${moment} UTC</strong>, ${String(hours)} hours ahead.`,
    forward: 'Forward by',
    example: '3d',
    hint: 'Minutes, hours or days: 90m, 12h, 3d. The clock never goes back.',
    submit: 'Move the clock',
  },
} as const;

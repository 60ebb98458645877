import { type Html, html } from '../http/html.ts';

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
    fixed: 'The clock cannot be moved: a provider that is not simulated goes by the time of day.',
    now: (moment: string, hours: number): Html =>
      html`The service and its simulators agree that it is <strong>${moment} UTC</strong>, ${String(hours)} hours ahead.`,
    forward: 'Forward by',
    example: '3d',
    hint: 'Minutes, hours or days: 90m, 12h, 3d. The clock never goes back.',
    submit: 'Move the clock',
  },
} as const;

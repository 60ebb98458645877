import type { ErrorCode } from './error-codes.ts';
import { ACCOUNT_RECORD_STATUSES, type AccountRecordStatus } from './states.ts';

/** How much plans allow (docs/plans.md#amounts). -1 is unlimited. */
export interface PlanLimits {
  readonly connections: number;
  readonly accounts: number;
  readonly syncs: number;
  readonly destinations: number;
}

export const PLAN_LIMIT_NAMES = ['connections', 'accounts', 'syncs', 'destinations'] as const;

const unlimited: PlanLimits = { connections: -1, accounts: -1, syncs: -1, destinations: -1 };

export const PLANS = {
  saver: { limits: { connections: 3, accounts: 10, syncs: 3, destinations: 2 } },
  developer: { limits: { connections: 10, accounts: 50, syncs: 10, destinations: 10 } },
  professional: { limits: unlimited },
} as const satisfies Record<string, { limits: PlanLimits }>;

export type Plan = keyof typeof PLANS;
export const PLAN_NAMES = ['saver', 'developer', 'professional'] as const satisfies readonly Plan[];

/** What a trial allows, whatever the plan: API access and brokerage included. */
export const TRIAL_LIMITS: PlanLimits = { connections: 3, accounts: 10, syncs: 3, destinations: 3 };

/** What a gate checks. `trial`: whether one is running at the time of the check. */
export interface PlanState {
  readonly plan: Plan;
  readonly status: AccountRecordStatus;
  readonly trial: boolean;
}

interface PlanGate {
  /** Opens with one of these plans while the subscription is in one of `statuses`; */
  readonly plans: readonly Plan[];
  readonly statuses: readonly AccountRecordStatus[];
  /** or, whatever the plan and its status, during a trial. */
  readonly trial: boolean;
  /** The limit of the plan that must not be reached, or null. */
  readonly room: keyof PlanLimits | null;
  /** The error code of a refusal. */
  readonly code: ErrorCode;
  /** Who asks. */
  readonly asked: string;
}

/** A late payment locks no one out (docs/plans.md#gates). */
const SUBSCRIBED = ['active', 'past_due'] as const;
const ALWAYS = { plans: PLAN_NAMES, statuses: ACCOUNT_RECORD_STATUSES, trial: true } as const;

/** What a plan includes. A test compares this table with `docs/plans.md`. */
export const PLAN_GATES = {
  api_access: {
    plans: ['developer', 'professional'],
    // API access depends only on the plan; what also needs a subscription has its own gate and code.
    statuses: [...SUBSCRIBED, 'canceled'],
    trial: true,
    room: null,
    code: 'plan_upgrade_required',
    asked: 'Every request of a caller that needs API access, right after the version check.',
  },
  brokerage_data: {
    plans: ['professional'],
    statuses: SUBSCRIBED,
    trial: true,
    room: null,
    code: 'professional_required',
    asked:
      'Reads of holdings and trades, before their parameters are validated; creating a sync of them, and a dry run or verification of one.',
  },
  link_session: {
    plans: PLAN_NAMES,
    statuses: SUBSCRIBED,
    trial: true,
    room: null,
    code: 'subscription_required',
    asked: 'Creating a link session, and reauthorising a connection.',
  },
  brokerage_link: {
    plans: ['professional'],
    statuses: SUBSCRIBED,
    trial: true,
    room: null,
    code: 'professional_required',
    asked: 'The same for a brokerage provider, after the previous gate.',
  },
  connection_slot: {
    ...ALWAYS,
    room: 'connections',
    code: 'connection_limit',
    asked:
      'Creating a link session, and again once the person has consented; taking the first statement file. Not checked on reauthorisation.',
  },
  sync_slot: {
    ...ALWAYS,
    room: 'syncs',
    code: 'sync_limit_reached',
    asked: 'Creating a sync.',
  },
} as const satisfies Record<string, PlanGate>;

export type PlanGateName = keyof typeof PLAN_GATES;
export const PLAN_GATE_NAMES: readonly PlanGateName[] = Object.keys(PLAN_GATES).filter(isPlanGateName);

function isPlanGateName(text: string): text is PlanGateName {
  return Object.hasOwn(PLAN_GATES, text);
}

/** Whether plan, status and trial open the gate; free slots are checked separately. */
export function gateOpens(name: PlanGateName, { plan, status, trial }: PlanState): boolean {
  const gate: PlanGate = PLAN_GATES[name];
  return (gate.trial && trial) || (gate.plans.includes(plan) && gate.statuses.includes(status));
}

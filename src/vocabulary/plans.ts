/** How much plans allow (docs/plans.md#amounts); what they open is in plan-gates.ts. -1 is unlimited. */
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

import type { AccountRecord } from '../../storage/account-records.ts';
import {
  gateOpens,
  PLAN_GATES,
  PLANS,
  type PlanGateName,
  type PlanLimits,
  type PlanState,
  TRIAL_LIMITS,
} from '../../vocabulary/plans.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

type PlanFields = Pick<AccountRecord, 'plan' | 'status' | 'trial_ends_at' | 'limits'>;

/** What the gates check, at `now`, epoch ms. A trial runs until its end, whatever the status. */
export function planStateOf(record: PlanFields, now: number): PlanState {
  const trial = record.trial_ends_at !== null && record.trial_ends_at.getTime() > now;
  return { plan: record.plan, status: record.status, trial };
}

/** The operator's limits, else those of a running trial, else the plan's. -1 is unlimited. */
export function limitsOf(record: PlanFields, now: number): PlanLimits {
  return record.limits ?? (planStateOf(record, now).trial ? TRIAL_LIMITS : PLANS[record.plan].limits);
}

/** Raises the gate's code if plan, status and trial do not open it (PLAN_GATES). */
export function requireGate(name: PlanGateName, record: PlanFields, now: number): void {
  if (!gateOpens(name, planStateOf(record, now))) throw new ServiceError(PLAN_GATES[name].code);
}

/** A gate that also requires a free slot. */
export type RoomGateName = 'connection_slot' | 'sync_slot';

/**
 * Whether one more fits in addition to the `taken` ones. Call it while the account record is locked; otherwise two can
 * take the last slot.
 */
export function hasRoom(name: RoomGateName, record: PlanFields, now: number, taken: number): boolean {
  const most = limitsOf(record, now)[PLAN_GATES[name].room];
  return gateOpens(name, planStateOf(record, now)) && (most === -1 || taken < most);
}

/** Raises the gate's code if nothing more fits. */
export function requireRoom(name: RoomGateName, record: PlanFields, now: number, taken: number): void {
  if (hasRoom(name, record, now, taken)) return;
  const { room, code } = PLAN_GATES[name];
  const most = limitsOf(record, now)[room];
  throw new ServiceError(code, {
    message: `All ${most} ${room} of the plan are in use; delete one or change the plan.`,
  });
}

import type { AccountRecord, AccountRecordChange } from '../../storage/account-records.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import { PLAN_LIMIT_NAMES, PLAN_NAMES, PLANS, type PlanLimits } from '../../vocabulary/plans.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { type AccountRecords, TRIAL_DAYS } from '../access/account-records.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';

/** What an operator asked for cannot be done as it was asked; the message says why, and what to ask instead. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
}

/** What is left out stays as it is. */
export interface AccountChange {
  readonly plan?: string;
  readonly status?: string;
  /** `connections=5,syncs=-1`, or `plan` for the limits of the plan. */
  readonly limit?: string;
  readonly timezone?: string;
  readonly caching?: 'on' | 'off';
}

/** Changes that the operator makes to account records, each with a line in the audit log. */
export class AccountChanges {
  readonly #accountRecords: Pick<AccountRecords, 'find' | 'update'>;
  readonly #auditLog: Pick<AuditLog, 'recording'>;
  readonly #clock: { now(): number };

  constructor(parts: {
    readonly accountRecords: Pick<AccountRecords, 'find' | 'update'>;
    readonly auditLog: Pick<AuditLog, 'recording'>;
    readonly clock: { now(): number };
  }) {
    this.#accountRecords = parts.accountRecords;
    this.#auditLog = parts.auditLog;
    this.#clock = parts.clock;
  }

  /** @throws OperatorRefusal for a value that is not understood, and where nothing is to be changed */
  async change(
    id: RowId<'account_record'>,
    asked: AccountChange,
    operator: Pick<AuditEntry, 'by' | 'from'>,
  ): Promise<AccountRecord> {
    const current = await this.#accountRecords.find(id);
    const change = changeOf(asked, current, this.#clock.now());
    if (Object.keys(change).length === 0) {
      throw new OperatorRefusal(
        'Nothing to change. Give at least one of --plan, --status, --limit, --timezone and --caching.',
      );
    }
    return this.#auditLog.recording(
      id,
      () => this.#accountRecords.update(id, change),
      () => ({ kind: 'account_record.updated', ...operator }),
    );
  }
}

function changeOf(
  { limit, timezone, caching, ...asked }: AccountChange,
  current: AccountRecord,
  now: number,
): AccountRecordChange {
  const plan = oneOf(PLAN_NAMES, asked.plan, '--plan');
  const status = oneOf(ACCOUNT_RECORD_STATUSES, asked.status, '--status');
  return {
    ...(plan === undefined ? {} : { plan }),
    ...(status === undefined ? {} : { status, ...trialOf(status, current, now) }),
    ...(limit === undefined
      ? {}
      : { limits: parseLimits(limit, current.limits ?? PLANS[plan ?? current.plan].limits) }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(caching === undefined ? {} : { caching: caching === 'on' }),
  };
}

function oneOf<const Word extends string>(
  words: readonly Word[],
  text: string | undefined,
  option: string,
): Word | undefined {
  if (text === undefined) return undefined;
  const found = words.find((word) => word === text);
  if (found === undefined) throw new OperatorRefusal(`${option} takes one of ${words.join(', ')}.`);
  return found;
}

/** A trial is its status and its end together: neither means anything alone. */
function trialOf(
  status: AccountRecord['status'],
  current: AccountRecord,
  now: number,
): Pick<AccountRecord, 'trial_ends_at'> {
  if (status !== 'trialing') return { trial_ends_at: null };
  return { trial_ends_at: current.trial_ends_at ?? new Date(now + TRIAL_DAYS * 86_400_000) };
}

/** `connections=5,syncs=-1` over the limits that hold now; -1 is unlimited; `plan` goes back to the plan's own. */
function parseLimits(text: string, current: PlanLimits): PlanLimits | null {
  if (text === 'plan') return null;
  const limits = { ...current };
  for (const part of text.split(',')) {
    const [given = '', value = ''] = part.split('=', 2).map((piece) => piece.trim());
    const name = PLAN_LIMIT_NAMES.find((known) => known === given);
    if (name === undefined || !/^(-1|\d{1,9})$/.test(value)) {
      throw new OperatorRefusal(
        `--limit does not accept "${part}". Write, for example, connections=5,syncs=-1, with names from ${PLAN_LIMIT_NAMES.join(', ')}; or plan for the limits of the plan.`,
      );
    }
    limits[name] = Number(value);
  }
  return limits;
}

import type { AccountRecord, AccountRecordChange } from '../../storage/account-records.ts';
import type { AccountOverview } from '../../storage/plan-usage.ts';
import { normalisedEmail } from '../../vocabulary/email.ts';
import { type OwnerId, publicId } from '../../vocabulary/ids.ts';
import { PLAN_LIMIT_NAMES, PLAN_NAMES, PLANS, type PlanLimits } from '../../vocabulary/plans.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import { type AccountRecords, type NewAccountRecord, TRIAL_DAYS } from '../access/account-records.ts';
import type { AccountRemoval } from '../account-removal/account-removal.ts';
import { type AuditEntry, type AuditLog, BY_OPERATOR } from '../audit/audit-log.ts';
import { wrongInput } from './refusal.ts';

/** Omitted values stay as they are. */
export interface AccountChange {
  readonly plan?: string;
  readonly status?: string;
  /** `connections=5,syncs=-1`, or `plan` for the limits of the plan. */
  readonly limit?: string;
  readonly timezone?: string;
  readonly caching?: 'on' | 'off';
}

export interface OperatorRecordsParts {
  readonly accountRecords: Pick<
    AccountRecords,
    'create' | 'find' | 'findAny' | 'list' | 'overview' | 'update'
  >;
  readonly auditLog: Pick<AuditLog, 'recording'>;
  readonly clock: { now(): number };
}

/** What operators do with account records that needs nothing but the database. Each change leaves a line in the audit log. */
export class OperatorRecords {
  readonly #parts: OperatorRecordsParts;

  constructor(parts: OperatorRecordsParts) {
    this.#parts = parts;
  }

  /** Raises `parameter_invalid` for an invalid e-mail address, name or time zone, or an address in use. */
  create(input: NewAccountRecord): Promise<AccountRecord> {
    return this.#parts.accountRecords.create(input);
  }

  /** Raises `resource_missing`, also for one that is being deleted. */
  find(id: OwnerId): Promise<AccountRecord> {
    return this.#parts.accountRecords.find(id);
  }

  /** Oldest first; all of them without a limit. */
  list(limit?: number): Promise<AccountRecord[]> {
    return this.#parts.accountRecords.list(limit);
  }

  /** Those after the id, oldest first, each with its counts. */
  overview(after: OwnerId | null, limit: number): Promise<AccountOverview[]> {
    return this.#parts.accountRecords.overview(after, limit);
  }

  /** @throws OperatorRefusal for a value that is not understood, and if nothing is to be changed */
  async change(
    id: OwnerId,
    asked: AccountChange,
    operator: Pick<AuditEntry, 'by' | 'from'>,
  ): Promise<AccountRecord> {
    const { accountRecords, auditLog, clock } = this.#parts;
    const current = await accountRecords.find(id);
    const change = changeOf(asked, current, clock.now());
    if (Object.keys(change).length === 0) {
      throw wrongInput(
        null,
        'Nothing to change. Give at least one of plan, status, limit, timezone and caching.',
      );
    }
    return auditLog.recording(
      id,
      () => accountRecords.update(id, change),
      () => ({ kind: 'account_record.updated', ...operator }),
    );
  }
}

export interface OperatorAccountsParts extends OperatorRecordsParts {
  readonly accountRemoval: Pick<AccountRemoval, 'ask'>;
}

/** The account records of the installation, which can also be deleted. */
export class OperatorAccounts extends OperatorRecords {
  readonly #parts: OperatorAccountsParts;

  constructor(parts: OperatorAccountsParts) {
    super(parts);
    this.#parts = parts;
  }

  /**
   * Begins the deletion of an account record with everything in it.
   * @param confirm its e-mail address, so that no other is deleted by mistake
   * @throws OperatorRefusal for another address
   */
  async delete(
    id: OwnerId,
    confirm: string,
  ): Promise<{ readonly record: AccountRecord; readonly asked: Date }> {
    const { accountRemoval, auditLog } = this.#parts;
    const record = await this.#parts.accountRecords.findAny(id);
    if (normalisedEmail(confirm) !== normalisedEmail(record.email)) {
      throw wrongInput(
        'confirm',
        `Nothing was deleted: this does not name ${publicId('account_record', id)}. Give the e-mail address of the account record.`,
      );
    }
    const asked = await auditLog.recording(
      id,
      () => accountRemoval.ask(id, null),
      () => ({ kind: 'account_record.deletion_requested', by: BY_OPERATOR, from: null }),
    );
    return { record, asked };
  }
}

function changeOf(
  { limit, timezone, caching, ...asked }: AccountChange,
  current: AccountRecord,
  now: number,
): AccountRecordChange {
  const plan = oneOf(PLAN_NAMES, asked.plan, 'plan');
  const status = oneOf(ACCOUNT_RECORD_STATUSES, asked.status, 'status');
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
  input: string,
): Word | undefined {
  if (text === undefined) return undefined;
  const found = words.find((word) => word === text);
  if (found === undefined) throw wrongInput(input, `The ${input} is one of ${words.join(', ')}.`);
  return found;
}

/** A trial is its status together with its end: neither means anything alone. */
function trialOf(
  status: AccountRecord['status'],
  current: AccountRecord,
  now: number,
): Pick<AccountRecord, 'trial_ends_at'> {
  if (status !== 'trialing') return { trial_ends_at: null };
  return { trial_ends_at: current.trial_ends_at ?? new Date(now + TRIAL_DAYS * 86_400_000) };
}

/** `connections=5,syncs=-1` overrides the current limits; -1 is unlimited; `plan` restores the plan's own. */
function parseLimits(text: string, current: PlanLimits): PlanLimits | null {
  if (text === 'plan') return null;
  const limits = { ...current };
  for (const part of text.split(',')) {
    const [given = '', value = ''] = part.split('=', 2).map((piece) => piece.trim());
    const name = PLAN_LIMIT_NAMES.find((known) => known === given);
    if (name === undefined || !/^(-1|\d{1,9})$/.test(value)) {
      throw wrongInput(
        'limit',
        `"${part}" is not accepted. Write, for example, connections=5,syncs=-1, with names from ${PLAN_LIMIT_NAMES.join(', ')}; or plan for the limits of the plan.`,
      );
    }
    limits[name] = Number(value);
  }
  return limits;
}

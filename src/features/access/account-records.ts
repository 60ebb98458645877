import { type Clock, machineZone } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import {
  type AccountRecord,
  type AccountRecordChange,
  findAccountRecord,
  findAccountRecordByEmail,
  findOpenAccountRecord,
  insertAccountRecord,
  listAccountRecords,
  updateAccountRecord,
} from '../../storage/account-records.ts';
import { connectionIdsOf } from '../../storage/connections.ts';
import type { Db } from '../../storage/database.ts';
import { countMemberships } from '../../storage/memberships.ts';
import type { Notice, Notices } from '../../storage/notices.ts';
import { type AccountOverview, accountOverviews, planUsage } from '../../storage/plan-usage.ts';
import { isEmailAddress } from '../../vocabulary/email.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { isTimeZone } from '../../vocabulary/moments.ts';
import { gateOpens, type Plan, type PlanLimits } from '../../vocabulary/plans.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import { type NameObjection, nameObjection, tidyName } from '../../vocabulary/shown-names.ts';
import { limitsOf, planStateOf } from './plan-gates.ts';

export const TRIAL_DAYS = 14;
const DAY_MS = 86_400_000;

/** What an account record may do now (docs/plans.md). */
export interface Entitlements {
  readonly api_access: boolean;
  readonly brokerage: boolean;
  readonly limits: PlanLimits;
  readonly trial: boolean;
}

/** What the gates of the plan allow (PLAN_GATES). */
export function entitlementsOf(record: AccountRecord, now: number): Entitlements {
  const planState = planStateOf(record, now);
  return {
    api_access: gateOpens('api_access', planState),
    brokerage: gateOpens('brokerage_data', planState),
    limits: limitsOf(record, now),
    trial: planState.trial,
  };
}

const OBJECTIONS: Readonly<Record<NameObjection, string>> = {
  unshowable: 'A name is one line, without invisible characters and those that control how text is shown.',
  blank: 'A name needs a letter, digit or sign that can be seen.',
  mixed: 'A name is written in one script, because letters of different scripts can look the same.',
};

/** Strangers see the name on the pages at which they link a bank, next to the e-mail address. */
function checkedName(given: string | null): string | null {
  const name = tidyName(given ?? '');
  if (name === '') return null;
  if (name.length > FIXED_LIMITS.name_characters)
    throw invalidParameter('name', `A name has at most ${FIXED_LIMITS.name_characters} characters.`);
  const objection = nameObjection(name);
  if (objection !== null) throw invalidParameter('name', OBJECTIONS[objection]);
  // Compatibility forms of the sign look the same.
  if (name.normalize('NFKC').includes('@'))
    throw invalidParameter('name', 'A name has no @, so that it cannot be taken for an e-mail address.');
  return name;
}

export interface NewAccountRecord {
  readonly email: string;
  /** What it is called; empty or absent for none. */
  readonly name?: string;
  readonly plan?: Plan;
  /** That of this machine by default: most people host the service for themselves. */
  readonly timezone?: string;
  readonly trial?: boolean;
}

/** Who uses the service. Managed by the operator from the command line, not by API keys. */
export class AccountRecords {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #notices: Notices;

  constructor(deps: { db: Db; clock: Clock; notices: Notices }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#notices = deps.notices;
  }

  /** Raises `parameter_invalid` for an invalid e-mail address, name or zone, or an address in use. */
  create(input: NewAccountRecord): Promise<AccountRecord> {
    return this.createWithin(this.#db, input);
  }

  /** The same within a transaction of the caller. */
  async createWithin(db: Db, input: NewAccountRecord): Promise<AccountRecord> {
    if (!isEmailAddress(input.email)) throw invalidParameter('email', 'This is not an email address.');
    const timezone = input.timezone ?? machineZone();
    if (!isTimeZone(timezone)) throw invalidParameter('timezone', 'This is not an IANA zone name.');
    const now = this.#clock.now();
    const record: AccountRecord = {
      id: rowId('account_record', newRowId(this.#clock)),
      email: input.email,
      name: checkedName(input.name ?? null),
      plan: input.plan ?? 'professional',
      status: input.trial === true ? 'trialing' : 'active',
      trial_ends_at: input.trial === true ? new Date(now + TRIAL_DAYS * DAY_MS) : null,
      limits: null,
      timezone,
      caching: true,
      removal_asked_at: null,
      created: new Date(now),
      updated: new Date(now),
    };
    if (await insertAccountRecord(db, record)) return record;
    const same = await findAccountRecordByEmail(db, input.email);
    throw invalidParameter(
      'email',
      (same?.removal_asked_at ?? null) === null
        ? 'An account record with this email address already exists.'
        : 'The account record with this email address is being deleted. Use another address, or wait until it is gone.',
    );
  }

  /** Oldest first, including those that are being deleted; all of them without a limit. */
  async list(limit?: number): Promise<AccountRecord[]> {
    return listAccountRecords(this.#db, limit);
  }

  /** How many account records the person is a member of. */
  sharedBy(user: RowId<'user'>): Promise<number> {
    return countMemberships(this.#db, user);
  }

  /** Raises `resource_missing`, also for one that is being deleted. */
  async find(id: OwnerId): Promise<AccountRecord> {
    const record = await findOpenAccountRecord(this.#db, id);
    if (record === null) throw missing('account record');
    return record;
  }

  /** The same for one that is being deleted as well. */
  async findAny(id: OwnerId): Promise<AccountRecord> {
    const record = await findAccountRecord(this.#db, id);
    if (record === null) throw missing('account record');
    return record;
  }

  /** How much of what its plan limits the account record has. */
  usage(id: OwnerId): Promise<PlanLimits> {
    return planUsage(this.#db, id);
  }

  /** Those after the id, oldest first, each with its usage, including those that are being deleted. */
  overview(after: OwnerId | null, limit: number): Promise<AccountOverview[]> {
    return accountOverviews(this.#db, after, limit);
  }

  /**
   * Applies at once, in every process. Opting in or out of caching clears everything that was cached. Raises
   * `resource_missing`, or `parameter_invalid` for an unknown zone or a name that cannot be shown. An empty name is
   * none.
   */
  async update(id: OwnerId, change: AccountRecordChange): Promise<AccountRecord> {
    if (change.timezone !== undefined && !isTimeZone(change.timezone)) {
      throw invalidParameter('timezone', 'This is not an IANA zone name.');
    }
    const settled = change.name === undefined ? change : { ...change, name: checkedName(change.name) };
    const { record, notices } = await this.#db.transaction().execute(async (trx) => {
      const changed = await updateAccountRecord(trx, id, settled, new Date(this.#clock.now()));
      if (changed === null) throw missing('account record');
      const connections = change.caching === undefined ? [] : await connectionIdsOf(trx, id);
      const notices: Notice[] = [
        { kind: 'account_record', id },
        ...connections.map((connection) => ({ kind: 'connection' as const, id: connection })),
      ];
      for (const notice of notices) await this.#notices.publish(trx, notice);
      return { record: changed, notices };
    });
    for (const notice of notices) this.#notices.deliver(notice);
    return record;
  }
}

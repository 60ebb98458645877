import { browserName } from '../../platform/browser-names.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { clientNetwork } from '../../platform/network-addresses.ts';
import { newRowId } from '../../platform/row-id.ts';
import {
  type AuditEvent,
  auditEventsOfDay,
  deleteAuditEventsBefore,
  insertAuditEvent,
  listAuditEvents,
} from '../../storage/audit-events.ts';
import { type AuditTarget, auditTargets } from '../../storage/audit-targets.ts';
import type { Db } from '../../storage/database.ts';
import { membershipsOf } from '../../storage/memberships.ts';
import { asOneTransaction, currentUnit } from '../../storage/unit-of-work.ts';
import { type Actor, OPERATOR } from '../../vocabulary/actors.ts';
import { type AuditDetail, type AuditKind, isRepeating } from '../../vocabulary/audit-kinds.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Page, PageRequest } from '../../vocabulary/paging.ts';
import type { Caller } from '../access/caller.ts';

const DAY_MS = 86_400_000;
const BATCH_ROWS = 2_000;
/** The most account records of one person in which a sign-in or a changed password is recorded. */
const MOST_RECORDS = 100;

/** Where a request comes from. */
export interface Origin {
  /** Its network address. */
  readonly address: string;
  /** Its `User-Agent` header. */
  readonly userAgent: string | undefined;
}

/** Who acted. */
export interface AuditActor extends Actor {
  /** The person, if the session has ended or not yet begun; null if the session identifies them. */
  readonly user: RowId<'user'> | null;
}

export interface AuditEntry {
  readonly kind: AuditKind;
  readonly by: AuditActor;
  /** Null if the request did not come over the network, as at the command line. */
  readonly from: Origin | null;
  readonly detail?: AuditDetail;
  /** The id of what was acted on, as v2 shows it; none if that is the account record. */
  readonly target?: string | null;
}

export const BY_OPERATOR: AuditActor = { ...OPERATOR, user: null };

export function byCaller(caller: Caller): AuditActor {
  return { kind: caller.kind, id: caller.id, user: caller.kind === 'session' ? caller.user : null };
}

/** A known person without a session, or without one yet. */
export function byPerson(user: RowId<'user'>): AuditActor {
  return { kind: 'session', id: null, user };
}

export interface AuditLogDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'audit_days' | 'audit_events_per_day' | 'audit_networks_per_day'>;
}

/**
 * Who changed the access to an account record, and from where (docs/audit-log.md). Contains no financial data and no
 * text that a bank or a payee chose.
 */
export class AuditLog {
  readonly #deps: AuditLogDependencies;

  constructor(deps: AuditLogDependencies) {
    this.#deps = deps;
  }

  /** Records one event, in the transaction that `db` is. Raises what storage raises. */
  async record(db: Db, owner: OwnerId, { kind, by, from, detail, target }: AuditEntry): Promise<void> {
    const { clock, limits } = this.#deps;
    const now = clock.now();
    const day = Math.floor(now / DAY_MS);
    const known = from === null ? '' : clientNetwork(from.address);
    const { single, networks } = await auditEventsOfDay(db, owner, day, known);
    const grouped = isRepeating(kind) || single >= limits.audit_events_per_day;
    const listed = !grouped || (isRepeating(kind) && networks < limits.audit_networks_per_day);
    await insertAuditEvent(
      db,
      {
        id: rowId('audit_event', newRowId(clock)),
        account_record: owner,
        kind,
        detail: detail ?? null,
        actor_kind: by.kind,
        actor_id: by.id,
        target: grouped ? null : (target ?? null),
        network: listed ? known : '',
        browser: browserName(from?.userAgent),
        grouped,
        day,
        last_at: new Date(now),
        created: new Date(now),
      },
      by.user,
    );
  }

  /** Records one event in its own transaction. Raises what storage raises. */
  note(owner: OwnerId, entry: AuditEntry): Promise<void> {
    return this.record(this.#deps.db, owner, entry);
  }

  /** The same in every account record that the person shares, up to a limit, because it concerns the data of each. */
  async recordOfPerson(db: Db, user: RowId<'user'>, entry: AuditEntry): Promise<void> {
    const shared = await membershipsOf(db, user);
    for (const { account_record: owner } of shared.slice(0, MOST_RECORDS)) {
      await this.record(db, owner, entry);
    }
  }

  /** Records after the response, so that its timing does not reveal whether there is such a person. */
  recordLater(user: RowId<'user'>, entry: AuditEntry): void {
    const { db, log } = this.#deps;
    setImmediate(() => {
      this.recordOfPerson(db, user, entry).catch((error: unknown) =>
        log.warn('Failed to record an audit event.', { kind: entry.kind }, error),
      );
    });
  }

  /** Does `work` and records what it did, in one transaction. Raises what `work` and storage raise. */
  recording<T>(owner: OwnerId, work: () => Promise<T>, entry: (result: T) => AuditEntry): Promise<T> {
    return this.atOnce(async () => {
      const result = await work();
      await this.note(owner, entry(result));
      return result;
    });
  }

  /** Does `work` and records the events it notes, in one transaction: a new one, or the one already in progress. */
  atOnce<T>(work: () => Promise<T>): Promise<T> {
    return currentUnit() === null ? asOneTransaction(async () => undefined, work) : work();
  }

  /** Newest first. `kind`: null for all. */
  list(owner: OwnerId, kind: AuditKind | null, page: PageRequest): Promise<Page<AuditEvent>> {
    return listAuditEvents(this.#deps.db, owner, kind, page);
  }

  /** What the targets of the events are called now, by their ids; no entry for those that have no name. */
  targets(owner: OwnerId, events: readonly AuditEvent[]): Promise<ReadonlyMap<string, AuditTarget>> {
    const ids = events.flatMap(({ target }) => (target === null ? [] : [target]));
    return auditTargets(this.#deps.db, owner, [...new Set(ids)]);
  }

  /** Deletes what is older than `audit_days`. */
  async sweep(): Promise<void> {
    const { db, clock, limits } = this.#deps;
    const before = new Date(clock.now() - limits.audit_days * DAY_MS);
    while ((await deleteAuditEventsBefore(db, before, BATCH_ROWS)) === BATCH_ROWS);
  }
}

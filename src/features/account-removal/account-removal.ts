import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { lockAccountRecord } from '../../storage/account-records.ts';
import {
  closeAccountRecord,
  connectionsToRevoke,
  deleteAccountRecord,
  deleteManyRows,
  hasSyncsOrDestinations,
  holdAccountRecord,
  removalAskedAt,
  standsOutside,
} from '../../storage/account-removals.ts';
import type { Db } from '../../storage/database.ts';
import { deleteStaleRows } from '../../storage/delivery-streams.ts';
import { destinationIdsOf } from '../../storage/destinations.ts';
import { countGrantRevocations } from '../../storage/grant-revocations.ts';
import { ACCOUNT_REMOVAL } from '../../storage/job-queues.ts';
import type { Jobs } from '../../storage/jobs.ts';
import { findMembership } from '../../storage/memberships.ts';
import type { Notices } from '../../storage/notices.ts';
import { lockSync, syncIdsOf } from '../../storage/syncs.ts';
import { SERVICE } from '../../vocabulary/actors.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { MEMBER_ROLES } from '../../vocabulary/member-roles.ts';
import { missing, ServiceError } from '../../vocabulary/service-error.ts';
import type { Destinations } from '../destinations/destinations.ts';
import { MOST_WAITING } from '../destinations/grant-revocations.ts';
import type { EventTrigger } from '../events/event-log.ts';
import type { ConnectionRevocation } from '../linking/connection-revocation.ts';
import { deleteHeldSync } from '../syncs/run-queue.ts';

const DAY_MS = 86_400_000;
/** How long a job works for one account record before another gets its turn. */
const TURN_MS = 30_000;
const LEAST_WAIT_MS = 5_000;
const MOST_WAIT_MS = 3_600_000;

export interface AccountRemovalDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly notices: Pick<Notices, 'publish' | 'deliver'>;
  readonly events: EventTrigger;
  readonly connectionRevocation: Pick<ConnectionRevocation, 'revoke'>;
  readonly destinations: Pick<Destinations, 'delete'>;
}

/** What may still be done in this turn. */
interface Turn {
  readonly owner: OwnerId;
  readonly signal: AbortSignal;
  /** Epoch ms. */
  readonly ends: number;
}

/**
 * Deletes an account record with everything in it (docs/your-data.md#delete-everything). One transaction closes all
 * access to it; a job then stops runs, withdraws every consent at its provider, revokes every grant at its vendor, and
 * deletes the rows once they are no longer needed for that.
 */
export class AccountRemoval {
  readonly #deps: AccountRemovalDependencies;

  constructor(deps: AccountRemovalDependencies) {
    this.#deps = deps;
  }

  /**
   * Ends all access at once, in every process; returns since when the account record is being deleted. Idempotent.
   * `by`: the member who asks; null for the operator. Raises `resource_missing` if everything is already deleted, and
   * `insufficient_scope` if `by` is no longer an owner.
   */
  async ask(owner: OwnerId, by: RowId<'user'> | null): Promise<Date> {
    const { db, clock, jobs, notices } = this.#deps;
    const notice = { kind: 'account_record', id: owner } as const;
    const asked = await db.transaction().execute(async (trx) => {
      const record = await lockAccountRecord(trx, owner);
      if (record === null) throw missing('account record');
      // One that is being deleted has no members any more, and a concurrent request has the same result.
      if (by !== null && record.removal_asked_at === null) {
        // The role in their session may be out of date.
        const role = (await findMembership(trx, owner, by))?.role ?? null;
        if (role === null || !MEMBER_ROLES[role].manages) throw new ServiceError('insufficient_scope');
      }
      const now = new Date(clock.now());
      if (record.removal_asked_at === null) await closeAccountRecord(trx, owner, now);
      await notices.publish(trx, notice);
      await jobs.enqueue(trx, ACCOUNT_REMOVAL, { owner }, { owner });
      return record.removal_asked_at ?? now;
    });
    notices.deliver(notice);
    return asked;
  }

  /**
   * Does what can be done now, for one turn. Returns when to continue, or null once everything is deleted. Failures of
   * providers and vendors are retried by the separate jobs that this starts (docs/linking.md#deletion); here it only
   * waits for them.
   */
  async work(owner: OwnerId, signal: AbortSignal): Promise<Date | null> {
    const { db, clock, limits, log } = this.#deps;
    const asked = await removalAskedAt(db, owner);
    if (asked === null) return null;
    const turn: Turn = { owner, signal, ends: clock.now() + TURN_MS };
    const whole = (await this.#endSyncs(turn)) && (await this.#revokeConnections(turn));
    if (!whole) return new Date(clock.now());
    const late = clock.now() - asked.getTime() > limits.account_removal_days * DAY_MS;
    if (!late && (await standsOutside(db, owner, new Date(clock.now())))) return this.#retryAt(asked);
    while (await deleteManyRows(db, owner)) if (isOver(turn, clock)) return new Date(clock.now());
    const { next, deleted, left } = await db.transaction().execute(async (trx) => {
      const nothing = { next: null, deleted: false, left: false };
      if (!(await holdAccountRecord(trx, owner))) return nothing;
      // A request that was in progress when the deletion was requested may have added something since.
      if (await hasSyncsOrDestinations(trx, owner)) return { ...nothing, next: this.#retryAt(asked) };
      const left = await standsOutside(trx, owner, new Date(clock.now()));
      if (left && !late) return { ...nothing, next: this.#retryAt(asked) };
      await deleteAccountRecord(trx, owner);
      return { next: null, deleted: true, left };
    });
    // Only once committed, because a transaction that conflicts with another deletes nothing.
    if (deleted && left)
      log.error('An account record was deleted while some of its data remains at a vendor.', { owner });
    if (deleted) log.info('An account record was deleted.', { owner });
    return next;
  }

  /** Stops and deletes every sync, with the records of its rows, then every destination. False if the turn ended. */
  async #endSyncs(turn: Turn): Promise<boolean> {
    const { db, destinations } = this.#deps;
    const { owner } = turn;
    const synced = await this.#each(turn, await syncIdsOf(db, owner), async (sync) => {
      await db.transaction().execute(async (trx) => {
        await lockSync(trx, owner, sync);
        await deleteHeldSync(this.#deps, trx, owner, sync);
      });
      while (await deleteStaleRows(db, sync)) turn.signal.throwIfAborted();
    });
    if (!synced) return false;
    return this.#each(turn, await destinationIdsOf(db, owner), async (destination) => {
      // If the queue of grants to revoke is full, another one would be dropped.
      if ((await countGrantRevocations(db, owner)) < MOST_WAITING)
        await destinations.delete(owner, destination);
    });
  }

  #revokeConnections(turn: Turn): Promise<boolean> {
    const { owner, signal } = turn;
    return connectionsToRevoke(this.#deps.db, owner).then((ids) =>
      this.#each(turn, ids, (id) => this.#deps.connectionRevocation.revoke(owner, id, SERVICE, signal)),
    );
  }

  /** Does the work for each; a failure does not stop the others. False if the turn ended before the last. */
  async #each<Id>(turn: Turn, ids: readonly Id[], work: (id: Id) => Promise<void>): Promise<boolean> {
    const { owner, signal } = turn;
    for (const id of ids) {
      signal.throwIfAborted();
      if (isOver(turn, this.#deps.clock)) return false;
      try {
        await work(id);
      } catch (error) {
        signal.throwIfAborted();
        const code = error instanceof ServiceError ? error.code : 'internal_error';
        this.#deps.log.warn('Failed to delete part of an account record; trying again later.', {
          owner,
          code,
        });
      }
    }
    return true;
  }

  /** After half its age, so that the delays grow. */
  #retryAt(asked: Date): Date {
    const now = this.#deps.clock.now();
    const half = (now - asked.getTime()) / 2;
    return new Date(now + Math.min(Math.max(half, LEAST_WAIT_MS), MOST_WAIT_MS));
  }
}

function isOver({ ends }: Turn, clock: Clock): boolean {
  return clock.now() > ends;
}

import { randomUUID } from 'node:crypto';
import type {
  DestinationConnector,
  DestinationLinking,
} from '../../connectors/destinations/destination-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { UnsealError } from '../../platform/sealing.ts';
import type { Db, Trx } from '../../storage/database.ts';
import type { DestinationRow } from '../../storage/destinations.ts';
import {
  countGrantRevocations,
  deleteGrantRevocation,
  dueGrantRevocations,
  type GrantRevocationRow,
  grantedDestinations,
  insertGrantRevocation,
  nextGrantRevocation,
  postponeGrantRevocation,
} from '../../storage/grant-revocations.ts';
import { GRANT_REVOCATION } from '../../storage/job-queues.ts';
import type { Jobs } from '../../storage/jobs.ts';
import type { DestinationType } from '../../vocabulary/destination-kinds.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import { withDeadline } from '../outside-calls/deadline.ts';
import type { DestinationSecrets } from './destination-secrets.ts';

/** How long a vendor is asked. */
const GIVEN_UP_MS = 24 * 3_600_000;
const LEAST_WAIT_MS = 5_000;
const MOST_WAIT_MS = 3_600_000;
/** Grants of one account record that wait. A person signs in for each, so more are a loop of someone's. */
export const MOST_WAITING = 100;
const BATCH = 20;
const PAGE = 500;

export interface GrantRevocationsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly secrets: DestinationSecrets;
  readonly connectors: ReadonlyMap<DestinationType, DestinationConnector>;
  readonly jobs: Pick<Jobs, 'enqueue'>;
}

/**
 * Grants that no one here uses any more, ended at their vendors: that of a deleted destination, the one before a person
 * signed in again, and one that came too late for its link. Tried for a day, in the background; no caller waits for it.
 */
export class GrantRevocations {
  readonly #deps: GrantRevocationsDependencies;

  constructor(deps: GrantRevocationsDependencies) {
    this.#deps = deps;
  }

  /** Queues the end of the grant with the transaction. Does nothing if the vendor has no way to end one. */
  async schedule(trx: Trx, owner: OwnerId, type: DestinationType, grant: string): Promise<void> {
    const { clock, connectors, jobs, log, secrets } = this.#deps;
    if (connectors.get(type)?.linking?.revoke === undefined) return;
    if ((await countGrantRevocations(trx, owner)) >= MOST_WAITING) {
      log.error('A grant is not revoked at its vendor: too many of this account record are waiting.', {
        type,
      });
      return;
    }
    const now = new Date(clock.now());
    const id = randomUUID();
    const row = { id, account_record: owner, type, grant: secrets.sealRevoked(id, grant) };
    await insertGrantRevocation(trx, { ...row, attempt_at: now, created: now });
    await jobs.enqueue(trx, GRANT_REVOCATION, { owner }, { owner });
  }

  /** Queues the end of the grant of a destination, if it has one. */
  async scheduleOf(trx: Trx, row: DestinationRow): Promise<void> {
    const grant = this.#grantOf(row);
    if (grant !== null) await this.schedule(trx, row.account_record, row.type, grant);
  }

  /** Tries what is due. Returns when to try again, or null if nothing of the account record is left. */
  async work(owner: OwnerId, signal: AbortSignal): Promise<Date | null> {
    const { db, clock } = this.#deps;
    for (;;) {
      const due = await dueGrantRevocations(db, owner, new Date(clock.now()), BATCH);
      for (const row of due) {
        signal.throwIfAborted();
        if (await this.#isOver(row, signal)) await deleteGrantRevocation(db, owner, row.id);
        else await postponeGrantRevocation(db, owner, row.id, this.#retryAt(row));
      }
      if (due.length < BATCH) return nextGrantRevocation(db, owner);
    }
  }

  /** Whether nothing more is to be done: it has ended, or is kept on purpose. */
  async #isOver(row: GrantRevocationRow, signal: AbortSignal): Promise<boolean> {
    const { clock, limits, log, secrets, connectors } = this.#deps;
    const linking = connectors.get(row.type)?.linking;
    const about = { type: row.type, revocation: row.id };
    try {
      // There is no connector for it now; there may be one after the next start.
      if (linking?.revoke === undefined) throw new TypeError('the type is not set up');
      const grant = secrets.revoked(row);
      if (await this.#isNeeded(row.type, grant, linking)) {
        log.info('A grant is not revoked at its vendor: another destination uses it.', about);
        return true;
      }
      const revoke = linking.revoke.bind(linking);
      await withDeadline(clock, limits.read_deadline_ms, signal, (within) => revoke(grant, within));
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UpstreamFailure && error.situation === 'grant_rejected') return true;
      const over = clock.now() - row.created.getTime() >= GIVEN_UP_MS;
      if (over) log.error('Failed to revoke a grant at its vendor within a day; giving up.', about, error);
      else log.warn('Failed to revoke a grant at its vendor; trying again later.', about, error);
      return over;
    }
  }

  /** Whether a destination is on the grant, or on one that ends with it. */
  async #isNeeded(type: DestinationType, grant: string, linking: DestinationLinking): Promise<boolean> {
    const { db } = this.#deps;
    const endsWith = linking.endsWith?.bind(linking) ?? ((standing: string) => standing === grant);
    for (let after: RowId<'destination'> | null = null; ; ) {
      const page = await grantedDestinations(db, type, after, PAGE);
      for (const row of page) {
        const standing = this.#grantOf(row);
        if (standing !== null && endsWith(standing, grant)) return true;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return false;
      after = last.id;
    }
  }

  /** A grant that cannot be unsealed is useless, and must not keep its destination from being deleted. */
  #grantOf(row: DestinationRow): string | null {
    const { log, secrets } = this.#deps;
    try {
      return secrets.grant(row);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      log.error('Failed to unseal the grant of a destination.', { destination: row.id }, error);
      return null;
    }
  }

  /** After half its age, so that the waits grow with it. */
  #retryAt({ created }: GrantRevocationRow): Date {
    const now = this.#deps.clock.now();
    const half = (now - created.getTime()) / 2;
    return new Date(now + Math.min(Math.max(half, LEAST_WAIT_MS), MOST_WAIT_MS));
  }
}

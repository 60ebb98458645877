import { type RawBuilder, sql } from 'kysely';
import { systemClock } from '../platform/clock.ts';
import type { Db } from './database.ts';
import { withStatementDeadline } from './statement-deadline.ts';

/** Called with what a migration waits for, once a minute while it waits. */
export type OnWait = (text: string) => void;

interface Session {
  readonly pid: number;
  readonly program: string | null;
  readonly state: string | null;
  readonly seconds: number | null;
}

/** The sessions that a session waits for, each in words. */
function blockersOf(db: Db, pid: number): Promise<readonly string[]> {
  return sessions(db, sql`pid = any(pg_blocking_pids(${pid}))`);
}

/** The session that has an advisory lock of this database, in words; none if it has been released. */
export function advisoryHolders(db: Db, lock: string): Promise<readonly string[]> {
  return sessions(
    db,
    sql`pid in (
      select pg_locks.pid from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and locktype = 'advisory' and granted and objsubid = 1
        and (classid::bigint << 32) | objid::bigint = ${sql.lit(lock)}::bigint)`,
  );
}

async function sessions(db: Db, which: RawBuilder<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<Session>`
    select pid, application_name as program, state, extract(epoch from now() - xact_start)::int as seconds
    from pg_stat_activity where ${which}`.execute(db);
  return rows.map(inWords);
}

function inWords({ pid, program, state, seconds }: Session): string {
  const about = [program || 'unnamed program', state ?? 'state unknown'];
  if (seconds !== null) about.push(`in a transaction for ${seconds} s`);
  return `session ${pid} of the server (${about.join(', ')})`;
}

export interface Watched {
  /** Of the session that may wait. */
  readonly pid: number;
  readonly everyMs: number;
  readonly reportMs: number;
  /** Called every `reportMs` while the session waits. */
  readonly onBlocked: (blockers: readonly string[]) => void;
}

/** Looks for the sessions that a session waits for, on a connection of its own. */
export class BlockerWatch implements AsyncDisposable {
  readonly #db: Db;
  readonly #watched: Watched;
  readonly #over = new AbortController();
  readonly #watching: Promise<void>;
  #reported = performance.now();
  /** Those of the last wait, each in words. */
  found: readonly string[] = [];

  constructor(db: Db, watched: Watched) {
    this.#db = db;
    this.#watched = watched;
    this.#watching = this.#watch();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      await systemClock.sleep(this.#watched.everyMs, signal).catch(() => undefined);
      // A migration does not fail because nothing can be said about what it waits for.
      if (!signal.aborted) await withStatementDeadline(null, () => this.#look()).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { pid, reportMs, onBlocked } = this.#watched;
    const blockers = await blockersOf(this.#db, pid);
    if (blockers.length === 0) return;
    this.found = blockers;
    if (performance.now() - this.#reported < reportMs) return;
    this.#reported = performance.now();
    onBlocked(blockers);
  }
}

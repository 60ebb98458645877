import { sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Db } from './database.ts';
import { isBeingCopied } from './embedded/online-copy.ts';
import { MAINTENANCE_MS, withStatementDeadline } from './statement-deadline.ts';

/**
 * The amount of write-ahead log after which a checkpoint is made. Less would increase it: after each, whole pages are
 * logged.
 */
const LOG_BYTES = 16 * 2 ** 20;
/** The same while the database is copied for a backup, which needs the log from its beginning. */
const COPYING_LOG_BYTES = 2 ** 30;
/**
 * The number of dead or new rows at which a table is vacuumed at once: one vacuum then takes about 100 milliseconds.
 */
const MANY_ROWS = 50_000;
/** Parts of long values, of 2 kB each. */
const MANY_PARTS = 4_000;
/** A table with fewer dead rows than that can wait forever, one with more for a minute. */
const FEW_ROWS = 50;
const PATIENCE_MS = 60_000;
/** The database spends at most a tenth of its time on vacuums. */
const REST = 9;
/**
 * If the rows of a deleted sync were stored before those of others, a vacuum frees no disk space. So a ledger three
 * times as large as its rows need is rewritten, if few enough are left that it takes less than half a second.
 */
const ROW_BYTES = 120;
const SPARSE = 3;
const SMALL_BYTES = 2 ** 20;
const FEW_ENOUGH_TO_REWRITE = 50_000;

const LEDGER = { schema: 'public', table: 'delivery_ledger' };

interface DueTable {
  readonly table: string;
  readonly schema: string;
}

/**
 * What a Postgres server does in background processes, and the embedded one leaves to its application: checkpoints,
 * without which the write-ahead log only grows, and vacuums, without which no space is reused. Each step is one
 * statement, and short, because requests wait for it: for 50,000 rows of the ledger about 100 milliseconds.
 */
export class Upkeep {
  readonly #db: Db;
  readonly #clock: Pick<Clock, 'now'>;
  #vacuumAt = Number.NEGATIVE_INFINITY;
  #sizesAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db, clock: Pick<Clock, 'now'>) {
    this.#db = db;
    this.#clock = clock;
  }

  /** A checkpoint if the log has grown, and a vacuum of the table that needs it most, if one does. */
  round(): Promise<void> {
    return withStatementDeadline(MAINTENANCE_MS, () => this.#round());
  }

  async #round(): Promise<void> {
    await this.#checkpoint();
    if (this.#clock.now() < this.#vacuumAt) return;
    const [due] = await this.#dueTables();
    if (due === undefined) return;
    const begun = performance.now();
    await this.#vacuum(due);
    this.#vacuumAt = this.#clock.now() + (performance.now() - begun) * REST;
  }

  async #checkpoint(): Promise<void> {
    const { rows } = await sql<{ bytes: number }>`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint as bytes
      from pg_control_checkpoint()`.execute(this.#db);
    const most = isBeingCopied(this.#db) ? COPYING_LOG_BYTES : LOG_BYTES;
    if ((rows[0]?.bytes ?? 0) > most) await sql`checkpoint`.execute(this.#db);
  }

  /**
   * Those with the most to gain first. After a crash the counts start from zero, so a large table that has not been
   * vacuumed since is due. To find those, the files of every table are checked, except those of indexes and maps, which
   * takes longer than the rest: once a minute, and again as long as there are some.
   */
  async #dueTables(): Promise<readonly DueTable[]> {
    // Otherwise the changes of the last second are not counted yet.
    await sql`select pg_stat_force_next_flush()`.execute(this.#db);
    const now = this.#clock.now();
    const before = new Date(now - PATIENCE_MS);
    const withSizes = now >= this.#sizesAt;
    const { rows } = await sql<DueTable>`
      select main.schemaname as schema, main.relname as table
      from pg_stat_user_tables as main
      join pg_class as class on class.oid = main.relid
      left join pg_stat_all_tables as parts on parts.relid = class.reltoastrelid and class.reltoastrelid <> 0
      where main.n_dead_tup > ${sql.lit(MANY_ROWS)}
        or main.n_ins_since_vacuum > ${sql.lit(MANY_ROWS)}
        or parts.n_dead_tup > ${sql.lit(MANY_PARTS)}
        or coalesce(main.last_vacuum < ${before}::timestamptz, true) and (
          main.n_dead_tup > ${sql.lit(FEW_ROWS)} + main.n_live_tup / 5
          or parts.n_dead_tup > ${sql.lit(FEW_ROWS)}
          or ${sql.lit(withSizes)} and main.last_vacuum is null
            and pg_relation_size(main.relid) + coalesce(pg_relation_size(nullif(class.reltoastrelid, 0)), 0)
              > ${sql.lit(SMALL_BYTES)}
        )
      order by main.n_dead_tup + coalesce(parts.n_dead_tup, 0) desc, main.relid`.execute(this.#db);
    if (withSizes && rows.length === 0) this.#sizesAt = now + PATIENCE_MS;
    return rows;
  }

  async #vacuum({ schema, table }: DueTable): Promise<void> {
    await sql`vacuum (skip_database_stats) ${sql.id(schema, table)}`.execute(this.#db);
    if (table === LEDGER.table && (await this.#isSparse()))
      await sql`vacuum (full, skip_database_stats) ${sql.id(schema, table)}`.execute(this.#db);
  }

  async #isSparse(): Promise<boolean> {
    const { rows } = await sql<{ entries: number; bytes: number }>`
      select reltuples::bigint as entries, pg_total_relation_size(oid) as bytes
      from pg_class where oid = ${`${LEDGER.schema}.${LEDGER.table}`}::regclass`.execute(this.#db);
    const [{ entries, bytes } = { entries: 0, bytes: 0 }] = rows;
    return entries <= FEW_ENOUGH_TO_REWRITE && bytes > SMALL_BYTES + SPARSE * ROW_BYTES * entries;
  }
}

/**
 * Rows of a filled database, as SQL: each statement adds the rows of a table for records 1 to `$1`, as the service leaves
 * them. `sid(kind, ms, n)` is an id with that time in it, `born(n)` when record n was made, `ago(ms)` a moment before
 * now, and `cid`, `did` the ids of connections and syncs.
 */
export interface FilledTable {
  readonly table: string;
  readonly rows: string;
}

/** Numbers of the kinds in ids, so that two tables never share one. */
export const KINDS = {
  user: 1,
  record: 2,
  key: 3,
  consent: 4,
  destination: 5,
  connection: 6,
  endUser: 7,
  account: 8,
  sync: 9,
  run: 10,
  event: 11,
  receiver: 12,
  document: 13,
  device: 14,
  factor: 15,
  category: 16,
  ruleset: 17,
  grant: 18,
  answer: 19,
} as const;

/** How many of what a record has; what is scaled down is in docs/scale.md. */
export interface Proportions {
  readonly runsPerSync: number;
  readonly eventsPerRecord: number;
  readonly auditPerRecord: number;
  /** Rows of the ledger for each stream of an early record, and for each other stream. */
  readonly ledgerRows: readonly [early: number, other: number];
  readonly earlyRecords: number;
}

export const PROPORTIONS: Proportions = {
  runsPerSync: 20,
  eventsPerRecord: 20,
  auditPerRecord: 10,
  ledgerRows: [400, 8],
  earlyRecords: 400,
};

/** Functions that the rows use, for one connection. */
export function helpers(records: number, now: number): string {
  return `
    create function pg_temp.sid(kind int, ms float8, n bigint) returns uuid language sql immutable as $$
      select (lpad(to_hex(ms::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8'
        || lpad(to_hex((n * 7919) % 4096), 3, '0') || lpad(to_hex(n), 12, '0'))::uuid $$;
    create function pg_temp.born(n bigint) returns float8 language sql immutable as $$
      select ${now} - 63072000000 * (1 - n::float8 / ${records + 1}) $$;
    create function pg_temp.at(ms float8) returns timestamptz language sql immutable as $$
      select to_timestamp(ms / 1000) $$;
    create function pg_temp.ago(ms float8) returns timestamptz language sql immutable as $$
      select to_timestamp((${now} - ms) / 1000) $$;
    create function pg_temp.rid(n bigint) returns uuid language sql immutable as $$
      select pg_temp.sid(${KINDS.record}, pg_temp.born(n), n) $$;
    create function pg_temp.kid(kind int, n bigint, k bigint) returns uuid language sql immutable as $$
      select pg_temp.sid(kind, pg_temp.born(n) + 1000, n * 64 + k) $$;
    create function pg_temp.bytes(n bigint) returns bytea language sql immutable as $$
      select sha256(n::text::bytea) $$;`;
}

export const rid = 'pg_temp.rid(n)';
export const kid = (kind: keyof typeof KINDS, k = '0') => `pg_temp.kid(${KINDS[kind]}, n, ${k})`;
export const born = 'pg_temp.at(pg_temp.born(n))';
export const of = (condition = 'true') => `from generate_series(1, $1::bigint) as n where ${condition}`;
export const each = (count: string, condition = 'true') =>
  `from generate_series(1, $1::bigint) as n cross join lateral generate_series(0, ${count} - 1) as k where ${condition}`;
const ofRecord = (second: number) => `pg_temp.sid(${second}, pg_temp.born(n), n)`;
export const user = ofRecord(KINDS.user);
/** Two accounts of the first connection are in each sync. */
export const account = kid('account', 'k');
export const connections = '1 + (n % 2)::int';
export const syncs = '1 + (n % 5 = 0)::int';

export const eventId = `pg_temp.sid(${KINDS.event}, pg_temp.born(n) + k, n * 64 + k)`;

/** Where a table is if account records are divided over several databases (docs/scale.md#dividing-account-records). */
export type Place = 'shard' | 'directory' | 'process';

const PLACES: Readonly<Record<Place, string>> = {
  // People are members of several account records, and what they sign in with names no account record.
  directory: `users memberships invitations web_sessions one_time_links passkeys passkey_challenges second_factors
    recovery_codes notification_choices push_devices vapid_keys oauth_clients oauth_grants oauth_tokens
    oauth_interactions api_keys simplefin_setup_tokens simplefin_apps`,
  // Of the shard of an account record. It knows the record itself as well: references end there.
  shard: `account_records audit_events end_users link_sessions connections consents consent_events accounts
    released_accounts vendor_pauses unattended_reads destinations destination_links grant_revocations syncs
    sync_accounts sync_runs sync_run_accounts delivery_streams delivery_ledger delivery_chunks shared_row_ids
    missing_rows stale_streams stream_readings rejected_rows webhook_deliveries sync_replays change_snapshots
    category_trees categories category_claims category_assignments rulesets rules rule_hits sync_rulesets saved_views
    event_destinations events event_positions event_deliveries event_batches notification_thresholds
    notifications notified_transactions documents document_pieces document_accounts jobs idempotency_keys provider_notifications`,
  // What the processes of one installation share; each database has its own.
  process: `key_checks retained_mac_keys worker_processes rate_counters heavy_slots lasting_quotas sandbox_place
    kysely_migration kysely_migration_lock`,
};

/** The place of each table, by its name. */
export const TABLE_PLACES: ReadonlyMap<string, Place> = new Map(
  (['directory', 'shard', 'process'] as const).flatMap((place) =>
    PLACES[place].split(/\s+/).map((table) => [table, place] as const),
  ),
);

/** How a statement finds its database. */
export type Route =
  /** Names the account record, or rows by ids that its caller found with it. */
  | 'record'
  | 'directory'
  | 'process'
  /** Joins tables of the directory with tables of a shard. */
  | 'both'
  /** Names no account record: one of CROSSING. */
  | 'crossing'
  /** None of these: a test fails. */
  | 'unknown';

/** A statement on tables of shards that names no account record, by the work that sends it. */
export interface Crossing {
  readonly work: string;
  readonly matches: RegExp;
  /** With a cluster for each shard and a directory. */
  readonly shards: 'as it is' | 'sum' | 'directory';
  /** On distributed tables of Citus. */
  readonly citus: 'holds' | 'refused';
}

const sweep = (work: string, matches: RegExp): Crossing => ({
  work,
  matches,
  shards: 'as it is',
  citus: 'holds',
});
const claim = (work: string, matches: RegExp): Crossing => ({
  work,
  matches,
  shards: 'as it is',
  citus: 'refused',
});
const figure = (work: string, matches: RegExp): Crossing => ({
  work,
  matches,
  shards: 'sum',
  citus: 'holds',
});
const lookUp = (work: string, matches: RegExp): Crossing => ({
  work,
  matches,
  shards: 'directory',
  citus: 'holds',
});

/** Every one; docs/scale.md has the same rows. */
export const CROSSING: readonly Crossing[] = [
  claim('waiting runs', /^update "sync_runs" set "status" = .+ for update/),
  claim('events to deliver', /^with recursive pending \(destination\)/),
  claim('due jobs', /^with recursive owners \(owner\)/),
  claim('stale rows of the ledger', /from stale_streams .*for update skip locked/),
  claim('expiries of linking: listings', /^update "connections" set "refresh_at" = .+ for update/),
  sweep(
    'old events, history and keys, with a limit',
    /^delete from "?\w+"? where "?id"? in \(select "?id"? from "?\w+"? where .+ limit \$/,
  ),
  sweep(
    'waiting runs: who waits',
    /^select "account_record" as "owner", count\(\*\) as "runs" from "sync_runs"/,
  ),
  claim('due jobs: queues', /^select queue\.name from unnest/),
  sweep('events to hand on', /^select distinct "account_record" from "events" where "position" is null/),
  sweep('due syncs', /^select "id", "account_record" from "syncs" where "next_run_at" <= /),
  sweep('expiries of linking: sessions', /^select \* from "link_sessions" where "settle_at" <= /),
  sweep('expiries of linking: consents', /^select \* from "consents" where "current" = .+"recorded_status"/),
  sweep(
    'expiries of linking: end users',
    /^select .+ from \(select \*, row_number\(\) over \(partition by account_record/,
  ),
  claim('statement files to delete', /^select documents\.id, documents\.account_record from documents/),
  sweep('run history', /^delete from "sync_runs" where "id" < /),
  sweep('what is past its retention', /^delete from "\w+" where "\w+" <=? \$/),
  sweep(
    'account records to delete, at a start',
    /^select "id" from "account_records" where "removal_asked_at"/,
  ),
  figure('metrics: runs', /^select status, count\(\*\)::int as count, .+ from sync_runs/),
  figure('metrics: rows set aside', /^select origin, count\(\*\)::int as count from rejected_rows/),
  figure('metrics: syncs', /count\(\*\) filter \(where age <= /),
  figure('health: late work', /^select \( select count\(\*\) from sync_runs where status/),
  figure('health: no worker', /^select exists \( select from sync_runs/),
  figure('operator: account records', /^select "?\*?"?.+ from "account_records"(?: order by "id"| limit)/),
  figure('start, doctor and rotation: sealed columns', /convert_from\(substring/),
  lookUp('account record by e-mail address', /"account_records" where lower\(email\)/),
  lookUp(
    'operator: whose a sync or an account is',
    /^select "account_record" from "(?:syncs|accounts)" where "id" = /,
  ),
  { ...lookUp('linking: who else needs a consent', /"consents"\."consent_hash" = \$/), citus: 'refused' },
  lookUp(
    'linking: who else has a customer',
    /from "end_users" where "provider" = \$ and "customer_hash" = \$/,
  ),
  lookUp(
    'notifications of providers',
    /"(?:provider_notifications|accounts|end_users|consents)"[^;]+"(?:hash|upstream_id|customer_hash|consent_hash)" (?:= \$|in)/,
  ),
];

/** Columns that hold the id of a row whose account record the caller knows. */
const NAMED =
  /\b"?(?:id|sync|run|stream|account|connection|consent|destination|event|ruleset|rule|document|parent|category|end_user|event_id|feed|joining|queue)"?(?:::\w+)? (?:= (?:\$|any)|in \(\$|in \(select)|\bunnest\(\s*\$/;

export function routeOf(shape: string): { readonly route: Route; readonly crossing: Crossing | null } {
  const places = new Set(tablesIn(shape).flatMap((table) => TABLE_PLACES.get(table) ?? []));
  const crossing = CROSSING.find(({ matches }) => matches.test(shape)) ?? null;
  if (places.size === 0) return { route: 'process', crossing: null };
  if (places.has('shard') && crossing !== null) return { route: 'crossing', crossing };
  const [only] = places.size === 1 ? places : [];
  if (only === 'directory' || only === 'process') return { route: only, crossing: null };
  if (places.has('directory') && places.has('shard')) return { route: 'both', crossing: null };
  const isNamed =
    /account_record"? (?:= \$|in \(|= any)/.test(shape) ||
    NAMED.test(shape) ||
    /\binsert into\b/i.test(shape);
  return { route: isNamed ? 'record' : 'unknown', crossing: null };
}

/** The tables that a statement names. */
export function tablesIn(shape: string): readonly string[] {
  const words = new Set(shape.match(/\w+/g));
  return [...TABLE_PLACES.keys()].filter((table) => words.has(table));
}

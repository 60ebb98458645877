import {
  account,
  born,
  connections,
  each,
  type FilledTable,
  KINDS,
  kid,
  of,
  type Proportions,
  rid,
  syncs,
  user,
} from './filled-columns.ts';
import { furtherTables } from './further-tables.ts';

/** People, what they linked, their syncs and what those delivered. */
export function filledTables(p: Proportions): readonly FilledTable[] {
  return [
    {
      table: 'users (id, email, email_normalised, password_hash, created, updated)',
      rows: `select ${user}, 'p'||n||'@people.example', 'p'||n||'@people.example', repeat('h', 97), ${born}, ${born} ${of()}`,
    },
    {
      table: 'account_records (id, email, plan, status, timezone, created, updated)',
      rows: `select ${rid}, 'p'||n||'@people.example', 'developer', 'active', 'Australia/Sydney', ${born}, ${born} ${of()}`,
    },
    {
      table: 'memberships (account_record, user_id, role, last_chosen_at, created, updated)',
      rows: `select ${rid}, ${user}, 'owner', ${born}, ${born}, ${born} ${of()}
        union all select ${rid}, pg_temp.sid(1, pg_temp.born(n + 1), n + 1), 'viewer', null, ${born}, ${born} ${of('n % 10 = 0 and n < $1')}`,
    },
    {
      table:
        'api_keys (id, account_record, name, secret_hash, prefix, scopes, legacy, last_used_at, revoked_at, created, updated)',
      rows: `select ${kid('key', 'k')}, ${rid}, 'key', pg_temp.bytes(n * 64 + k), 'trib_live_abcd', '{data:read,connections:read,syncs:write,events:read}', false,
        pg_temp.ago(n % 86400000), case when k = 1 then ${born} end, ${born}, ${born} ${each('1 + (n % 3 = 0)::int')}`,
    },
    {
      table:
        'web_sessions (id, secret_hash, user_id, account_record, last_seen_at, expires_at, browser, created)',
      rows: `select gen_random_uuid(), pg_temp.bytes(n * 3 + 1), ${user}, ${rid}, pg_temp.ago(n % 1000000000), pg_temp.ago(n % 1000000000 - 1209600000),
        'Firefox on Linux', pg_temp.ago(n % 1000000000) ${of('n % 10 < 6')}`,
    },
    {
      table: 'passkeys (id, user_id, credential_id, public_key, counter, transports, name, created)',
      rows: `select gen_random_uuid(), ${user}, encode(pg_temp.bytes(n), 'base64'), pg_temp.bytes(n) || pg_temp.bytes(n), 3, '{internal}', 'Phone', ${born} ${of('n % 10 < 3')}`,
    },
    {
      table: 'recovery_codes (code_hash, user_id)',
      rows: `select pg_temp.bytes(n * 64 + k), ${user} ${each('10', 'n % 10 = 0')}`,
    },
    {
      table: 'one_time_links (id, kind, token_hash, user_id, expires_at, created)',
      rows: `select gen_random_uuid(), 'password_reset', pg_temp.bytes(n * 5), ${user}, pg_temp.ago(-3600000 - n % 3600000), pg_temp.ago(n % 3600000) ${of('n % 100 = 0')}`,
    },
    {
      table:
        'invitations (id, account_record, email, email_normalised, role, token_hash, expires_at, invited_by, created, updated)',
      rows: `select gen_random_uuid(), ${rid}, 'i@people.example', 'i@people.example', 'viewer', pg_temp.bytes(n * 9), pg_temp.ago(-86400000), ${user}, ${born}, ${born} ${of('n % 20 = 0')}`,
    },
    {
      table:
        'audit_events (id, account_record, kind, actor_kind, actor_id, network, browser, grouped, day, last_at, created)',
      rows: `select pg_temp.sid(20, ${'extract(epoch from now()) * 1000'} - (k * 40 + n % 40) * 86400000.0, n * 64 + k), ${rid}, 'signed_in', 'session', 'user_x', '203.0.113.0/24', 'Firefox on Linux', k % 2 = 0,
        20000 - k * 40 - (n % 40)::int, pg_temp.ago((k * 40 + n % 40) * 86400000.0), pg_temp.ago((k * 40 + n % 40) * 86400000.0) ${each(String(p.auditPerRecord))}`,
    },
    {
      table:
        'link_sessions (id, account_record, provider, return_url, connection, expires_at, completed_at, end_user, actor_kind, created, updated)',
      rows: `select gen_random_uuid(), ${rid}, 'au_banking', 'https://app.example/back', ${kid('connection', 'k')}, ${born}, ${born}, ${kid('endUser', 'k')}, 'api_key', ${born}, ${born} ${each(connections, 'n > $1 * 0.96')}`,
    },
    {
      table:
        'connections (id, account_record, provider, institution_id, institution_name, landed_at, last_refreshed_at, refresh_at, end_user, created, updated)',
      rows: `select ${kid('connection', 'k')}, ${rid}, 'au_banking', 'fk_'||(n % 150), 'Bank of Ferns', ${born}, pg_temp.ago(n % 86400000), pg_temp.ago(-3600000 - (n * 7919) % 86400000), ${kid('endUser', 'k')}, ${born}, ${born} ${each(connections)}`,
    },
    {
      table: 'consent_events (id, account_record, consent, kind, status, actor_kind, created)',
      rows: `select gen_random_uuid(), ${rid}, ${kid('consent', 'k / 2')}, 'granted', 'active', 'session', ${born} ${each(`2 * (${connections})`)}`,
    },
    {
      table:
        'accounts (id, account_record, connection, provider, institution_id, upstream_id, name, type, masked_number, number_mac, currency, timezone, last_seen_at, created, updated)',
      rows: `select ${account}, ${rid}, ${kid('connection', 'k / 2')}, 'au_banking', 'fk_'||(n % 150), 'up-'||n||'-'||k, 'Everyday account', 'checking', 'xxxx 1234', encode(pg_temp.bytes(n), 'hex'), 'AUD', 'Australia/Sydney',
        pg_temp.ago(n % 86400000), ${born}, ${born} ${each(`2 * (${connections})`)}`,
    },
    {
      table: 'unattended_reads (account, what, moments)',
      rows: `select ${account}, 'transactions', array[pg_temp.ago(1000), pg_temp.ago(2000), pg_temp.ago(3000)] ${each('1', 'n % 5 = 0')}`,
    },
    {
      table: 'provider_notifications (hash, received_at)',
      rows: `select pg_temp.bytes(n * 11), pg_temp.ago(n % 86400000) ${of('n % 2 = 0')}`,
    },
    {
      table:
        'syncs (id, account_record, destination, name, type, enabled, mapping_mode, account_mappings, options, last_synced_at, next_run_at, schedule_minutes, created, updated)',
      rows: `select ${kid('sync', 'k')}, ${rid}, ${kid('destination', 'k')}, 'Books', 'transactions', true, 'bulk', '[]', '{"data_from":"2024-01-01","include_pending":true,"mask_account_numbers":false,"custom_categories":false,"include_balances_tab":false}', pg_temp.ago((n * 7919) % 86400000),
        pg_temp.ago(-3600000 - (n * 7919) % 86400000), 1440, ${born}, ${born} ${each(syncs)}`,
    },
    {
      table: 'sync_accounts (sync, account, position)',
      rows: `select ${kid('sync', 's')}, ${account}, k from generate_series(1, $1::bigint) as n cross join lateral generate_series(0, ${syncs} - 1) as s cross join generate_series(0, 1) as k`,
    },
    {
      table:
        'sync_runs (id, account_record, sync, destination, status, trigger, processed, added, updated, chunks, fence, dispatched_at, started_at, completed_at, actor_kind, created)',
      rows: `select pg_temp.sid(${KINDS.run}, ${'extract(epoch from now()) * 1000'} - (r * 4 + 1) * 86400000.0 - n % 80000000, (n * 2 + s) * 4096 + r), ${rid}, ${kid('sync', 's')}, ${kid('destination', 's')},
        case when (n + r) % 20 = 0 then 'failed' else 'succeeded' end, 'schedule', 40, 3, 1, 1, 1,
        t.at, t.at, t.at, 'service', t.at
        from generate_series(1, $1::bigint) as n cross join lateral generate_series(0, ${syncs} - 1) as s cross join generate_series(0, ${p.runsPerSync} - 1) as r
        cross join lateral (select pg_temp.ago((r * 4 + 1) * 86400000.0 + n % 80000000) as at) as t`,
    },
    {
      table: 'sync_run_accounts (run, account, position, status, processed, added)',
      rows: `select run.id, line.account, line.position, 'succeeded', 20, 1 from sync_runs as run join sync_accounts as line using (sync)`,
    },
    {
      table: 'delivery_streams (sync, account, cursor)',
      rows: `select sync, account, pg_temp.ago(86400000) from sync_accounts order by sync`,
    },
    {
      table: 'stream_readings (stream, swept_recent_at, swept_year_at, swept_all_at)',
      rows: `select id, pg_temp.ago(86400000), pg_temp.ago(864000000), pg_temp.ago(864000000) from delivery_streams`,
    },
    {
      table: 'delivery_ledger (stream, slot, day, state, record)',
      rows: `select id, slot, (20000 - slot / 3)::smallint, case when slot % 40 = 0 then 1 end, sha256((id * 100000 + slot)::text::bytea) || '\\x0102030405060708'::bytea
        from delivery_streams cross join lateral generate_series(1, case when id <= ${p.earlyRecords} then ${p.ledgerRows[0]} else ${p.ledgerRows[1]} end) as slot`,
    },
    {
      table: 'missing_rows (stream, source_id, noted_at)',
      rows: `select id, 'txn_fk_'||id, pg_temp.ago(86400000) from delivery_streams where id % 20 = 0`,
    },
    {
      table:
        'rejected_rows (id, account_record, sync, account, origin, row_key, reason, first_run, last_run, first_seen, last_seen)',
      rows: `select gen_random_uuid(), ${rid}, ${kid('sync', '0')}, ${kid('account', '0')}, 'provider', 'key'||n, 'amount is missing', gen_random_uuid(), gen_random_uuid(), ${born}, ${born} ${of('n % 5 = 0')}`,
    },
    {
      table:
        'webhook_deliveries (id, account_record, destination, sync, event_id, kind, new_count, updated_count, removed_count, status, attempts, rows, log, created)',
      rows: `select pg_temp.sid(21, ${'extract(epoch from now()) * 1000'} - k * 86400000.0, n * 64 + k), ${rid}, ${kid('destination', '0')}, ${kid('sync', '0')}, gen_random_uuid(), 'transactions', 3, 0, 0, 'succeeded', 1, pg_temp.bytes(n) || pg_temp.bytes(k),
        '[{"at":"2026-01-01T00:00:00Z","status":200,"duration_ms":41}]', pg_temp.ago(k * 86400000.0) ${each('10', 'n % 5 < 3')}`,
    },
    {
      table:
        'change_snapshots (id, account_record, account, feed, round, page, changes_left, days, include_pending, first_day, state, observed_at, used_at, created)',
      rows: `select gen_random_uuid(), ${rid}, ${account}, gen_random_uuid(), 1, 0, 0, 30, true, '2026-01-01', decode(repeat(encode(pg_temp.bytes(n), 'hex'), 30), 'hex'), pg_temp.ago(n % 86400000), pg_temp.ago(n % 864000000), ${born} ${each('2', 'n % 10 = 0')}`,
    },
    ...furtherTables(p),
  ];
}

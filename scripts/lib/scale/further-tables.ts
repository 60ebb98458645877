import {
  born,
  each,
  eventId,
  type FilledTable,
  kid,
  of,
  type Proportions,
  rid,
  user,
} from './filled-columns.ts';

/** Categories, rules, events, apps, and what processes share. */
export function furtherTables(p: Proportions): readonly FilledTable[] {
  return [
    {
      table: 'category_trees (account_record, seeded_at)',
      rows: `select ${rid}, ${born} ${of('n % 5 = 0')}`,
    },
    {
      table:
        'categories (id, account_record, parent, name, icon, color, position, archived, created, updated)',
      rows: `select ${kid('category', 'k')}, ${rid}, case when k >= 10 then ${kid('category', 'k % 10')} end, 'Category '||k, 'x', '#2f9e44', k, false, ${born}, ${born} ${each('60', 'n % 5 = 0')}`,
    },
    {
      table: 'category_claims (account_record, code, category)',
      rows: `select ${rid}, 'CODE_'||k, ${kid('category', '10 + k % 50')} ${each('80', 'n % 5 = 0')}`,
    },
    {
      table: 'category_assignments (id, account_record, account, category, row_id, created)',
      rows: `select gen_random_uuid(), ${rid}, ${kid('account', '0')}, ${kid('category', '11')}, 'txn_fk_'||k, ${born} ${each('5', 'n % 5 = 0')}`,
    },
    {
      table: 'rulesets (id, account_record, name, enabled, created, updated)',
      rows: `select ${kid('ruleset')}, ${rid}, 'Tidy', true, ${born}, ${born} ${of('n % 10 < 3')}`,
    },
    {
      table:
        'rules (id, account_record, ruleset, position, enabled, conditions, actions, stop, created, updated)',
      rows: `select pg_temp.kid(22, n, k), ${rid}, ${kid('ruleset')}, k, true, '{"all":[{"field":"description","operator":"contains","value":"coffee"}]}', '[{"type":"set_merchant","value":"Coffee"}]', false, ${born}, ${born} ${each('3', 'n % 10 < 3')}`,
    },
    {
      table: 'rule_hits (rule, hits, last_hit_at)',
      rows: `select pg_temp.kid(22, n, k), 10, ${born} ${each('3', 'n % 10 < 3')}`,
    },
    {
      table: 'sync_rulesets (sync, ruleset, position)',
      rows: `select ${kid('sync', '0')}, ${kid('ruleset')}, 0 ${of('n % 10 < 3')}`,
    },
    {
      table: 'saved_views (id, account_record, name, query, created, updated)',
      rows: `select gen_random_uuid(), ${rid}, 'Coffee', 'q=coffee', ${born}, ${born} ${of('n % 10 < 3')}`,
    },
    {
      table: 'events (id, account_record, kind, subject, position, created)',
      rows: `select ${eventId}, ${rid}, 'sync_run.succeeded', gen_random_uuid(), k + 1, pg_temp.ago((${p.eventsPerRecord} - k) * 86400000.0 + n % 80000000) ${each(String(p.eventsPerRecord))}`,
    },
    {
      table: 'event_positions (account_record, position)',
      rows: `select ${rid}, ${p.eventsPerRecord} ${of()}`,
    },
    {
      table: 'event_batches (destination, first_position, account_record, events, size, due_at, attempts)',
      rows: `select receiver.id, event.position, event.account_record, array[event.id], 1, event.created, '{"version":1,"attempts":[[1764547200000,12,200]]}' from event_destinations as receiver join events as event using (account_record)`,
    },
    {
      table: 'event_deliveries (event, destination, account_record, position, status, attempts, due_at, log)',
      rows: `select event.id, receiver.id, event.account_record, event.position, 'succeeded', 2, event.created, '{"version":1,"attempts":[{"at":1764547200000,"durationMs":12,"status":200,"failure":null,"answer":null}]}' from event_destinations as receiver join events as event using (account_record) where event.position % 10 = 0`,
    },
    {
      table: 'notifications (id, account_record, user_id, kind, subject, email, devices, created)',
      rows: `select gen_random_uuid(), ${rid}, ${user}, 'sync_failed', gen_random_uuid(), true, '{}', pg_temp.ago((k * 10 + n % 10) * 86400000.0) ${each('2')}`,
    },
    {
      table: 'notification_choices (user_id, kind, email, push, details)',
      rows: `select ${user}, 'sync_failed', true, false, false ${of('n % 10 = 0')}`,
    },
    {
      table: 'notification_thresholds (id, account_record, user_id, sync, currency, amount, created)',
      rows: `select gen_random_uuid(), ${rid}, ${user}, null, 'AUD', 50000, ${born} ${of('n % 10 = 0')}`,
    },
    {
      table: 'notified_transactions (account_record, user_id, mac, created)',
      rows: `select ${rid}, ${user}, pg_temp.bytes(n * 64 + k), pg_temp.ago((k * 10 + n % 10) * 86400000.0) ${each('3', 'n % 10 = 0')}`,
    },
    {
      table:
        'oauth_grants (id, account_record, user_id, client, redirect_to, resource, scopes, expires_at, created, updated)',
      rows: `select ${kid('grant')}, ${rid}, ${user}, 'client-'||(n % 200), 'app.example', 'https://mcp.example', '{data:read}', pg_temp.ago(-n % 5000000000 - 86400000), ${born}, ${born} ${of('n % 5 = 0')}`,
    },
    {
      table: 'oauth_tokens (id, kind, grant_id, scopes, generation, payload, expires_at, created)',
      rows: `select pg_temp.bytes(n * 64 + k), case k when 0 then 'access' else 'refresh' end, ${kid('grant')}, '{data:read}', 0, '{}', pg_temp.ago(-n % 5000000000 - 86400000), ${born} ${each('2', 'n % 5 = 0')}`,
    },
    {
      table:
        'simplefin_setup_tokens (id, account_record, name, token_hash, expires_at, claimed_at, created, updated)',
      rows: `select gen_random_uuid(), ${rid}, 'budget app', pg_temp.bytes(n * 13), ${born}, ${born}, ${born}, ${born} ${of('n % 5 = 0')}`,
    },
    {
      table: 'simplefin_apps (id, account_record, setup_token, name, credentials_hash, created, updated)',
      rows: `select gen_random_uuid(), ${rid}, gen_random_uuid(), 'budget app', pg_temp.bytes(n * 17), ${born}, ${born} ${of('n % 5 = 0')}`,
    },
    {
      table:
        'destination_links (id, account_record, type, return_url, expires_at, completed_at, created, updated)',
      rows: `select gen_random_uuid(), ${rid}, 'sheets', 'https://app.example/back', pg_temp.ago(n % 2500000000), ${born}, ${born}, ${born} ${of('n % 10 = 0')}`,
    },
    {
      table: 'released_accounts (id, account_record, provider, institution_id, number_mac, released_at)',
      rows: `select gen_random_uuid(), ${rid}, 'au_banking', 'fk_1', 'mac', pg_temp.ago(n % 7000000000) ${of('n % 50 = 0')}`,
    },
    {
      table: 'rate_counters (key, points, expire)',
      rows: `select 'cheap:'||n, 3, extract(epoch from now()) * 1000 + n % 60000 ${of('n % 10 = 0')}`,
    },
    {
      table: 'shared_row_ids (account, row_id)',
      rows: `select ${kid('account', '0')}, 'txn_fk_1' ${of('n % 20 = 0')}`,
    },
    {
      table: 'jobs (id, queue, account_record, payload, joining, due_at)',
      rows: `select gen_random_uuid(), 'notification', ${rid}, '{"notification":"x"}', gen_random_uuid(), pg_temp.ago(-3600000 - n % 86400000) ${of('n % 200 = 0')}`,
    },
  ];
}

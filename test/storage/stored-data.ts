/** How data is stored: as text, encrypted, or only as a hash from which it cannot be read. */
export type StoredAs = 'readable' | 'encrypted' | 'hash' | 'keyed hash';

interface StoredData {
  /** As docs/your-data.md#in-detail names it. */
  readonly kind: string;
  readonly as: StoredAs;
  /** `table: columns`. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Every column that has data of a person, an owner or a vendor, apart from ids, times and flags. */
export const STORED_DATA: readonly StoredData[] = [
  {
    kind: 'Account record',
    as: 'readable',
    columns: { account_records: 'email name plan status limits timezone' },
  },
  {
    kind: 'People',
    as: 'readable',
    columns: {
      users: 'email email_normalised',
      invitations: 'email email_normalised role',
      memberships: 'role',
      web_sessions: 'browser',
      push_devices: 'browser',
      passkeys: 'credential_id public_key counter transports name',
    },
  },
  {
    kind: 'Banks',
    as: 'readable',
    columns: {
      connections:
        'provider institution_id institution_name institution_logo chosen_institution_id chosen_institution_name',
      link_sessions: 'provider institution_id institution_name return_url failure_reason',
      end_users: 'provider',
    },
  },
  {
    kind: 'Accounts at banks',
    as: 'readable',
    columns: {
      accounts:
        'provider institution_id upstream_id name type masked_number currency timezone nickname balance_sign',
      released_accounts: 'provider institution_id balance_sign',
      unattended_reads: 'what moments',
      vendor_pauses: 'what',
    },
  },
  {
    kind: 'Consents',
    as: 'readable',
    columns: {
      consents: 'provider purpose data_categories termination_reason recorded_status',
      consent_events: 'kind status reason',
    },
  },
  {
    kind: 'Destinations and syncs',
    as: 'readable',
    columns: {
      destinations: 'type name status target',
      destination_links: 'type return_url failure_reason',
      grant_revocations: 'type',
      syncs:
        'name type mapping_mode account_mappings category_mappings options columns schedule_minutes schedule_times schedule_timezone attention',
      sync_runs:
        'status trigger processed added updated rejected skipped_by_rules rejected_unlisted failure range_from range_to',
      sync_run_accounts: 'status processed added updated rejected skipped_by_rules failure',
      event_destinations: 'name enabled_events status disabled_reason',
      event_deliveries: 'status log',
      event_batches: 'attempts',
    },
  },
  {
    kind: 'Delivered rows and rows set aside',
    as: 'readable',
    columns: {
      delivery_ledger: 'day record state remote_ref',
      delivery_chunks: 'rows',
      webhook_deliveries: 'kind new_count updated_count removed_count status log rows',
      missing_rows: 'source_id',
      shared_row_ids: 'row_id',
      rejected_rows: 'origin row_key source_id day field reason',
      stream_readings: 'history',
      change_snapshots: 'days first_day',
    },
  },
  {
    kind: 'Categories, rules and saved views',
    as: 'readable',
    columns: {
      categories: 'name icon color',
      category_claims: 'code',
      category_assignments: 'row_id',
      rulesets: 'name description',
      rules: 'name conditions actions',
      rule_hits: 'hits',
      saved_views: 'name query',
    },
  },
  {
    kind: 'Notification settings',
    as: 'readable',
    columns: {
      notification_choices: 'kind',
      notification_thresholds: 'currency amount',
      notifications: 'kind devices',
    },
  },
  {
    kind: 'Programs and apps',
    as: 'readable',
    columns: {
      api_keys: 'name prefix scopes allowed_ips',
      oauth_clients: 'id',
      oauth_grants: 'client client_name redirect_to resource scopes',
      oauth_tokens: 'kind scopes payload',
      simplefin_setup_tokens: 'name',
      simplefin_apps: 'name',
    },
  },
  {
    kind: 'Metadata',
    as: 'readable',
    columns: {
      api_keys: 'metadata',
      connections: 'metadata',
      link_sessions: 'metadata',
      destinations: 'metadata',
      syncs: 'metadata',
      event_destinations: 'metadata',
      rulesets: 'metadata',
      categories: 'metadata',
    },
  },
  {
    kind: 'Events and audit log',
    as: 'readable',
    columns: {
      events: 'kind',
      audit_events: 'kind detail actor_kind actor_id actor_name target network browser occurrences day',
      consent_events: 'actor_kind actor_id',
      link_sessions: 'actor_kind actor_id',
      sync_runs: 'actor_kind actor_id',
      idempotency_keys: 'actor_kind actor_id',
    },
  },
  {
    kind: 'Facts about statement files',
    as: 'readable',
    columns: { documents: 'format bytes layout retain_days parts', document_accounts: 'layout' },
  },
  {
    kind: 'Access to banks',
    as: 'encrypted',
    columns: { consents: 'grant', end_users: 'customer', link_sessions: 'vendor_state' },
  },
  {
    kind: 'Access to destinations',
    as: 'encrypted',
    columns: {
      destinations: 'grant sealed_target signing_secret previous_secret mac_key',
      grant_revocations: 'grant',
      event_destinations: 'endpoint signing_secret previous_secret',
    },
  },
  {
    kind: 'Statement files',
    as: 'encrypted',
    columns: { documents: 'name', document_pieces: 'content' },
  },
  {
    kind: 'Answers of the API that can be repeated',
    as: 'encrypted',
    columns: { idempotency_keys: 'answer' },
  },
  { kind: 'State of a feed of changes', as: 'encrypted', columns: { change_snapshots: 'state' } },
  {
    kind: 'Registrations of apps and browsers, authenticator apps',
    as: 'encrypted',
    columns: {
      oauth_clients: 'metadata',
      oauth_interactions: 'payload',
      push_devices: 'subscription',
      second_factors: 'secret',
    },
  },
  { kind: 'Passwords', as: 'hash', columns: { users: 'password_hash' } },
  {
    kind: 'API keys, tokens, sessions, links and codes',
    as: 'hash',
    columns: {
      api_keys: 'secret_hash',
      oauth_tokens: 'id',
      oauth_interactions: 'id',
      simplefin_setup_tokens: 'token_hash',
      simplefin_apps: 'credentials_hash',
      web_sessions: 'secret_hash',
      recovery_codes: 'code_hash',
      passkey_challenges: 'challenge_hash',
      one_time_links: 'token_hash',
      invitations: 'token_hash',
      push_devices: 'endpoint_hash',
    },
  },
  {
    kind: 'Ids of consents, customers and notifications at vendors',
    as: 'hash',
    columns: { consents: 'consent_hash', end_users: 'customer_hash', provider_notifications: 'hash' },
  },
  {
    kind: 'Full account numbers',
    as: 'keyed hash',
    columns: { accounts: 'number_mac', released_accounts: 'number_mac' },
  },
  {
    kind: 'Content of rows and files, for comparison',
    as: 'keyed hash',
    columns: {
      delivery_ledger: 'match_mac',
      rejected_rows: 'content_mac',
      documents: 'content_mac',
      notified_transactions: 'mac',
    },
  },
  {
    kind: 'Addresses and networks, for comparison',
    as: 'keyed hash',
    columns: {
      destinations: 'target_mac',
      oauth_clients: 'network site',
      idempotency_keys: 'id',
    },
  },
];

/** Columns that only order, count or divide work, or that the service needs for itself. */
export const INTERNAL_COLUMNS: Readonly<Record<string, string>> = {
  categories: 'position',
  category_trees: 'version',
  change_snapshots: 'round page changes_left',
  delivery_chunks: 'chunk total_chunks',
  delivery_ledger: 'stream slot',
  delivery_streams: 'id generation',
  destinations: 'failed_runs',
  document_pieces: 'position',
  event_batches: 'first_position events size',
  event_deliveries: 'position attempts',
  event_destinations: 'failures fence',
  event_positions: 'position',
  events: 'position',
  heavy_slots: 'caller leases',
  // Ids only (storage/job-queues.ts).
  jobs: 'queue payload failures fence request_id',
  key_checks: 'id sealed',
  kysely_migration: 'name timestamp',
  kysely_migration_lock: 'id is_locked',
  lasting_quotas: 'caller leases',
  link_sessions: 'attempts',
  missing_rows: 'stream',
  oauth_tokens: 'generation',
  one_time_links: 'kind',
  rate_counters: 'key points expire',
  retained_mac_keys: 'id subkey',
  rules: 'position',
  sandbox_place: 'id place',
  second_factors: 'last_step',
  stale_streams: 'stream',
  stream_readings: 'stream',
  sync_accounts: 'position',
  sync_rulesets: 'position',
  sync_run_accounts: 'position',
  sync_runs: 'chunks fence request_id',
  syncs: 'failed_runs',
  vapid_keys: 'id private_key',
  webhook_deliveries: 'attempts',
};

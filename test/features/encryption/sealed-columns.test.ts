import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { SEALED_COLUMNS } from '../../../src/features/encryption/sealed-columns.ts';
import { openTestDatabase } from '../../support/database.ts';

/** Bytes that hold no secret: hashes, MACs and what is packed of them. A new column of bytes joins these or the table. */
const NOT_SEALED = new Set([
  'api_keys.secret_hash',
  'simplefin_apps.credentials_hash',
  'simplefin_setup_tokens.token_hash',
  'web_sessions.secret_hash',
  'passkeys.public_key',
  'passkey_challenges.challenge_hash',
  'one_time_links.token_hash',
  'invitations.token_hash',
  'recovery_codes.code_hash',
  'oauth_clients.network',
  'oauth_clients.site',
  'oauth_interactions.id',
  'oauth_tokens.id',
  'consents.consent_hash',
  'end_users.customer_hash',
  'idempotency_keys.id',
  'provider_notifications.hash',
  'push_devices.endpoint_hash',
  'notified_transactions.mac',
  'delivery_ledger.record',
  'delivery_ledger.match_mac',
  'webhook_deliveries.rows',
]);

/** Sealed under keys that only clients have, so that a rotation has nothing to re-seal. */
const SEALED_FOR_CLIENTS = new Set(['change_snapshots.state']);

test('every column of bytes is in the table of sealed columns or known to hold no secret, so that no rotation forgets one', async (t) => {
  const { db, close } = await openTestDatabase();
  t.after(close);
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea'`.execute(db);
  const found = rows.map(({ name }) => name).toSorted();
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  const listed = [...sealed, ...SEALED_FOR_CLIENTS];
  assert.deepEqual(
    found.filter((name) => !NOT_SEALED.has(name) && !listed.includes(name)),
    [],
  );
  assert.deepEqual(
    [...listed, ...NOT_SEALED].filter((name) => !found.includes(name)),
    [],
    'what the lists name is there',
  );
});

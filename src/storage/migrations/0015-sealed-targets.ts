import { type Kysely, sql } from 'kysely';

/**
 * Room for webhook targets sealed (the start seals those that are there, features/target-sealing.ts), and for the subkeys
 * that outlive an encryption key (docs/decisions/0015).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table destinations add column sealed_target bytea`.execute(db);
  await sql`alter table destinations add column target_mac text`.execute(db);
  await sql`drop index destinations_webhook_url`.execute(db);
  await sql`create unique index destinations_target on destinations (account_record, target_mac) where target_mac is not null`.execute(
    db,
  );
  await sql`
    create table retained_mac_keys (
      id text primary key,
      subkey bytea not null
    )`.execute(db);
}

import type { Db } from './database.ts';

/** Which of the notifications, by their hash, were acted on already; as hexadecimal text. */
export async function knownNotifications(
  db: Db,
  hashes: readonly Uint8Array[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db
    .selectFrom('provider_notifications')
    .select('hash')
    .where('hash', 'in', hashes)
    .execute();
  return new Set(rows.map(({ hash }) => Buffer.from(hash).toString('hex')));
}

/** Remembers that the notifications were acted on. */
export async function keepNotifications(db: Db, hashes: readonly Uint8Array[], now: Date): Promise<void> {
  if (hashes.length === 0) return;
  await db
    .insertInto('provider_notifications')
    .values(hashes.map((hash) => ({ hash, received_at: now })))
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/** Forgets those that their vendor does not repeat any more. */
export async function deleteNotificationsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('provider_notifications').where('received_at', '<', before).execute();
}

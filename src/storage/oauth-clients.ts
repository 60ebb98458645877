import { sql } from 'kysely';
import type { Db, Trx } from './database.ts';

export interface OAuthClient {
  readonly id: string;
  readonly network: Uint8Array;
  readonly site: Uint8Array;
  readonly metadata: Uint8Array;
}

/** How many clients without any grant are kept at most. */
export interface ClientRoom {
  readonly unused: number;
  /** Unused ones from before then no longer count and are deleted soon. */
  readonly since: Date;
}

/** How many one network may register since then. */
export interface RegistrationQuota {
  readonly most: number;
  readonly since: Date;
}

/**
 * Adds a client; false, with nothing done, if its network has used up its quota. If too many are unused, the oldest
 * unused client is deleted of the network that has the most of them, in the site that has the most, so that anyone who
 * floods the table loses their own rows. Registrations wait for each other.
 */
export async function insertOAuthClient(
  db: Db,
  client: OAuthClient,
  quota: RegistrationQuota,
  room: ClientRoom,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table oauth_clients in share row exclusive mode`.execute(trx);
    if ((await countRegistrations(trx, client.network, quota.since)) >= quota.most) return false;
    await trx
      .insertInto('oauth_clients')
      .values({ ...client, created: now })
      .execute();
    await sql`
      with unused as (
        select id, network, site, created from oauth_clients
        where created > ${room.since} and id <> ${client.id}
          and not exists (select from oauth_grants where client = oauth_clients.id)
      ), site as (
        select site from unused group by site order by count(*) desc limit 1
      ), largest as (
        select network from unused where site = (select site from site)
        group by network order by count(*) desc limit 1
      )
      delete from oauth_clients where id = (
        select id from unused where network = (select network from largest) order by created, id limit 1
      ) and (select count(*) from unused) >= ${room.unused}`.execute(trx);
    return true;
  });
}

/** Adds a client that did not register, or updates its metadata. */
export async function putOAuthClient(trx: Trx, client: OAuthClient, now: Date): Promise<void> {
  const { metadata } = client;
  await trx
    .insertInto('oauth_clients')
    .values({ ...client, created: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ metadata, created: now }))
    .execute();
}

export async function findOAuthClient(db: Db, id: string): Promise<OAuthClient | null> {
  const query = db
    .selectFrom('oauth_clients')
    .select(['id', 'network', 'site', 'metadata'])
    .where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

/** How many clients registered from the network since then. */
export async function countRegistrations(db: Db | Trx, network: Uint8Array, since: Date): Promise<number> {
  const row = await db
    .selectFrom('oauth_clients')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('network', '=', network)
    .where('created', '>', since)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Deletes clients from before then without a grant, at most `limit`; returns how many. */
export async function deleteUnusedOAuthClients(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oauth_clients where id in (
      select id from oauth_clients
      where created < ${before} and not exists (select from oauth_grants where client = oauth_clients.id)
      order by created limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

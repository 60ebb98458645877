import { type Selectable, sql, type Updateable } from 'kysely';
import type { BalanceSign } from '../vocabulary/balance-signs.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { ProviderIdentifier } from '../vocabulary/provider-kinds.ts';
import type { Db, Trx } from './database.ts';
import type { AccountsTable, ReleasedAccountsTable } from './linking-tables.ts';
import { owned, ownedRow, ownedRows } from './owned-rows.ts';
import { selectPage } from './pages.ts';

export type Account = Selectable<AccountsTable>;
export type AccountChange = Omit<Updateable<AccountsTable>, 'id' | 'account_record' | 'created'>;
export type ReleasedAccount = Selectable<ReleasedAccountsTable>;

export async function insertAccount(db: Db, account: Account): Promise<void> {
  await db.insertInto('accounts').values(account).execute();
}

export async function findAccount(db: Db, owner: OwnerId, id: RowId<'account'>): Promise<Account | null> {
  return ownedRow(db.selectFrom('accounts').selectAll(), owner, id);
}

/** Whose the account is, for the operator, who names it by its id alone; null if there is none. */
export async function ownerOfAccount(db: Db, id: RowId<'account'>): Promise<OwnerId | null> {
  const row = await db
    .selectFrom('accounts')
    .select('account_record')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.account_record ?? null;
}

/** Several at once, only the owner's, in no particular order. */
export async function findAccounts(
  db: Db,
  owner: OwnerId,
  ids: readonly RowId<'account'>[],
): Promise<Account[]> {
  return ownedRows(db.selectFrom('accounts').selectAll(), owner, ids);
}

/** Newest first; only those of one connection if it is given. */
export async function listAccounts(
  db: Db,
  owner: OwnerId,
  connection: RowId<'connection'> | null,
  page: PageRequest,
): Promise<Page<Account>> {
  let query = db.selectFrom('accounts').selectAll().where('account_record', '=', owner);
  if (connection !== null) query = query.where('connection', '=', connection);
  return selectPage(query, page);
}

/** A slice of a list, and the length of the whole list. */
export interface ListPart<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** The owner's accounts by name, code point by code point; without those of connections being deleted. */
export async function accountsByName(
  db: Db,
  owner: OwnerId,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ListPart<Account>> {
  const live = db
    .selectFrom('accounts')
    .innerJoin('connections', 'connections.id', 'accounts.connection')
    .where('accounts.account_record', '=', owner)
    .where('connections.account_record', '=', owner)
    .where('connections.revoked_at', 'is', null);
  const items = await live
    .selectAll('accounts')
    .orderBy(sql`accounts.name collate "C"`)
    .orderBy('accounts.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await live.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
  return { items, total: Number(count) };
}

/** All accounts of the connections, newest first. */
export async function accountsOfConnections(
  db: Db,
  owner: OwnerId,
  connections: readonly RowId<'connection'>[],
): Promise<Account[]> {
  if (connections.length === 0) return [];
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('account_record', '=', owner)
    .where('connection', 'in', connections)
    .orderBy('id', 'desc')
    .execute();
}

/** The owner's accounts at these providers, oldest first, at most `most`. */
export async function accountsAtProviders(
  db: Db,
  owner: OwnerId,
  providers: readonly ProviderIdentifier[],
  most: number,
): Promise<Account[]> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', 'in', providers)
    .orderBy('id')
    .limit(most)
    .execute();
}

/** All accounts of the owner at one bank, across connections: a relinked bank matches its accounts with these. */
export async function accountsAtInstitution(
  db: Db,
  owner: OwnerId,
  provider: ProviderIdentifier,
  institution: string,
): Promise<Account[]> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('institution_id', '=', institution)
    .orderBy('id')
    .execute();
}

/** Accounts of the owner, of any connection, that have one of these ids at the vendor. */
export async function accountsByUpstreamIds(
  db: Db,
  owner: OwnerId,
  provider: ProviderIdentifier,
  upstreamIds: readonly string[],
): Promise<Account[]> {
  if (upstreamIds.length === 0) return [];
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('upstream_id', 'in', upstreamIds)
    .orderBy('id')
    .execute();
}

export async function updateAccount(
  db: Db,
  owner: OwnerId,
  id: RowId<'account'>,
  change: AccountChange,
): Promise<void> {
  await owned(db.updateTable('accounts').set(change), owner, id).execute();
}

/** Stores the sign that balances showed. One that is already known is kept. */
export async function noteBalanceSign(
  db: Db,
  owner: OwnerId,
  id: RowId<'account'>,
  sign: BalanceSign | null,
): Promise<void> {
  await owned(db.updateTable('accounts').set({ balance_sign: sign }), owner, id)
    .where(({ or, eb }) => or([eb('balance_sign', 'is', null), eb('balance_sign', '=', 'unverified')]))
    .execute();
}

/** Deletes the accounts of a connection; the ids of those with a keyed MAC are kept under that MAC. */
export async function releaseAccounts(
  trx: Trx,
  owner: OwnerId,
  connection: RowId<'connection'>,
  now: Date,
): Promise<void> {
  const rows = await trx
    .deleteFrom('accounts')
    .where('account_record', '=', owner)
    .where('connection', '=', connection)
    .returningAll()
    .execute();
  const released = rows.flatMap(
    ({ id, provider, institution_id, number_mac, balance_sign, in_totals }): ReleasedAccount[] =>
      number_mac === null
        ? []
        : [
            {
              ...{ id, account_record: owner, provider, institution_id, number_mac },
              ...{ balance_sign, in_totals, released_at: now },
            },
          ],
  );
  if (released.length > 0) await trx.insertInto('released_accounts').values(released).execute();
}

export async function releasedAccountsAt(
  db: Db,
  owner: OwnerId,
  provider: ProviderIdentifier,
  institution: string,
): Promise<ReleasedAccount[]> {
  return db
    .selectFrom('released_accounts')
    .selectAll()
    .where('account_record', '=', owner)
    .where('provider', '=', provider)
    .where('institution_id', '=', institution)
    .orderBy('id')
    .execute();
}

/** Takes a released id back into use. */
export async function reclaimReleasedAccount(trx: Trx, owner: OwnerId, id: RowId<'account'>): Promise<void> {
  await owned(trx.deleteFrom('released_accounts'), owner, id).execute();
}

export async function deleteReleasedAccountsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('released_accounts').where('released_at', '<', before).execute();
}

/** Ids under which the account's bank lists several rows; usually none. */
export async function sharedRowIds(
  db: Db,
  owner: OwnerId,
  account: RowId<'account'>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly row_id: string }>`
    select shared.row_id from shared_row_ids as shared
    join accounts on accounts.id = shared.account
    where shared.account = ${account}::uuid and accounts.account_record = ${owner}::uuid`.execute(db);
  return new Set(rows.map(({ row_id: id }) => id));
}

export interface SharedRowId {
  readonly owner: OwnerId;
  readonly account: RowId<'account'>;
  readonly rowId: string;
  /** How many are recorded of one account; further ones are not. */
  readonly most: number;
}

/** Records that the bank lists several rows of the account under this id. */
export async function noteSharedRowId(db: Db, { owner, account, rowId, most }: SharedRowId): Promise<void> {
  await sql`
    insert into shared_row_ids (account, row_id)
    select accounts.id, ${rowId}::text from accounts
    where accounts.id = ${account}::uuid and accounts.account_record = ${owner}::uuid
      and (select count(*) from shared_row_ids where account = ${account}::uuid) < ${most}::int
    on conflict do nothing`.execute(db);
}

/** A kind of read of one account. */
export interface PausedRead {
  readonly owner: OwnerId;
  readonly account: RowId<'account'>;
  readonly what: string;
}

/** Epoch milliseconds. */
export interface VendorPause {
  readonly since: number;
  readonly until: number;
}

/** The pause that the provider last asked for, whether or not it is over; null if it never did. */
export async function findVendorPause(
  db: Db,
  { owner, account, what }: PausedRead,
): Promise<VendorPause | null> {
  const row = await db
    .selectFrom('vendor_pauses')
    .innerJoin('accounts', 'accounts.id', 'vendor_pauses.account')
    .select(['vendor_pauses.since', 'vendor_pauses.until'])
    .where('vendor_pauses.account', '=', account)
    .where('vendor_pauses.what', '=', what)
    .where('accounts.account_record', '=', owner)
    .executeTakeFirst();
  return row === undefined ? null : { since: row.since.getTime(), until: row.until.getTime() };
}

/** Records a pause, one for each kind of read of an account, and deletes those of the account that are over. */
export async function noteVendorPause(
  db: Db,
  { owner, account, what }: PausedRead,
  pause: VendorPause,
): Promise<void> {
  const since = new Date(pause.since);
  const until = new Date(pause.until);
  await sql`delete from vendor_pauses where account = ${account}::uuid and until < ${since}`.execute(db);
  await sql`
    insert into vendor_pauses (account, what, since, until)
    select accounts.id, ${what}::text, ${since}::timestamptz, ${until}::timestamptz from accounts
    where accounts.id = ${account}::uuid and accounts.account_record = ${owner}::uuid
    on conflict (account, what) do update set since = excluded.since, until = excluded.until`.execute(db);
}

/** A read of an account while its owner is away, of which a bank answers only some in a time. */
export interface UnattendedRead extends PausedRead {
  /** Epoch milliseconds. */
  readonly at: number;
  /** How many count, and in how many milliseconds. */
  readonly most: number;
  readonly withinMs: number;
}

/**
 * Counts a read; null if it may be made, else the milliseconds until one may. One statement, so that processes which ask
 * at the same moment count each other's. Reads from later than `at`, before a clock was set back, do not count.
 */
export async function takeUnattendedRead(db: Db, read: UnattendedRead): Promise<number | null> {
  const { owner, account, what, at, most, withinMs } = read;
  const now = new Date(at);
  const since = new Date(at - withinMs);
  const recent = sql`
    select moment from unnest(held.moments) moment
    where moment > ${since}::timestamptz and moment <= ${now}::timestamptz`;
  const { rows } = await sql`
    insert into unattended_reads as held (account, what, moments)
    select accounts.id, ${what}::text, array[${now}::timestamptz] from accounts
    where accounts.id = ${account}::uuid and accounts.account_record = ${owner}::uuid
    on conflict (account, what) do update set moments = array(${recent} order by moment) || excluded.moments
    where (select count(*) from (${recent}) counted) < ${most}::int
    returning account`.execute(db);
  if (rows.length > 0) return null;
  const held = await sql<{ readonly oldest: Date | null }>`
    select (select min(moment) from unnest(moments) moment
            where moment > ${since}::timestamptz and moment <= ${now}::timestamptz) as oldest
    from unattended_reads where account = ${account}::uuid and what = ${what}::text`.execute(db);
  const oldest = held.rows[0]?.oldest ?? null;
  return oldest === null ? null : Math.max(1, oldest.getTime() + withinMs - at);
}

/** Takes back a read that did not reach the bank. */
export async function giveBackUnattendedRead(
  db: Db,
  { account, what, at }: Pick<UnattendedRead, 'account' | 'what' | 'at'>,
): Promise<void> {
  const moment = new Date(at);
  await sql`
    update unattended_reads set moments = array_remove(moments, ${moment}::timestamptz)
    where account = ${account}::uuid and what = ${what}::text`.execute(db);
}

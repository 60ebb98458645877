import type { Selectable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { MemberRole } from '../vocabulary/member-roles.ts';
import type { Db } from './database.ts';
import type { MembershipsTable } from './identity-tables.ts';

export type Membership = Selectable<MembershipsTable>;
/** A member as the other members see them. */
export interface Member extends Membership {
  readonly email: string;
}

/** False if the person is already a member. */
export async function insertMembership(
  db: Db,
  membership: Omit<Membership, 'last_chosen_at'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('memberships')
    .values(membership)
    .onConflict((conflict) => conflict.columns(['account_record', 'user_id']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function findMembership(
  db: Db,
  owner: OwnerId,
  user: RowId<'user'>,
): Promise<Membership | null> {
  const query = db
    .selectFrom('memberships')
    .selectAll()
    .where('account_record', '=', owner)
    .where('user_id', '=', user);
  return (await query.executeTakeFirst()) ?? null;
}

/** Every account record the person shares, in the order of joining. */
export async function membershipsOf(db: Db, user: RowId<'user'>): Promise<Membership[]> {
  return db
    .selectFrom('memberships')
    .selectAll()
    .where('user_id', '=', user)
    .orderBy('created')
    .orderBy('account_record')
    .execute();
}

/** How many account records the person shares. */
export async function countMemberships(db: Db, user: RowId<'user'>): Promise<number> {
  const { count } = await db
    .selectFrom('memberships')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The one with the account record that the person chose last, or else joined first; null if they share none. */
export async function lastChosenMembership(db: Db, user: RowId<'user'>): Promise<Membership | null> {
  const query = db
    .selectFrom('memberships')
    .selectAll()
    .where('user_id', '=', user)
    .orderBy('last_chosen_at', (order) => order.desc().nullsLast())
    .orderBy('created')
    .orderBy('account_record')
    .limit(1);
  return (await query.executeTakeFirst()) ?? null;
}

/** Records that the person signed in to the account record or switched to it. */
export async function noteChosen(db: Db, owner: OwnerId, user: RowId<'user'>, now: Date): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ last_chosen_at: now })
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .execute();
}

/** Everyone who shares the account record, in the order of joining: as many as `members` allows. */
export async function membersOf(db: Db, owner: OwnerId): Promise<Member[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .selectAll('memberships')
    .select('users.email')
    .where('account_record', '=', owner)
    .orderBy('memberships.created')
    .orderBy('user_id')
    .execute();
}

export async function setRole(
  db: Db,
  owner: OwnerId,
  user: RowId<'user'>,
  role: MemberRole,
  now: Date,
): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ role, updated: now })
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .execute();
}

export async function deleteMembership(db: Db, owner: OwnerId, user: RowId<'user'>): Promise<void> {
  await db
    .deleteFrom('memberships')
    .where('account_record', '=', owner)
    .where('user_id', '=', user)
    .execute();
}

import {
  type DeleteQueryBuilder,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
} from 'kysely';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Tables } from './tables.ts';

/** The id of a row that the query may select; no type fits if the rows of its table have no owner. */
type IdIn<Query> =
  Query extends SelectQueryBuilder<Tables, infer Table, infer _Row>
    ? OwnedId<Table>
    : Query extends UpdateQueryBuilder<Tables, infer Table, infer _From, infer _Row>
      ? OwnedId<Table>
      : Query extends DeleteQueryBuilder<Tables, infer Table, infer _Row>
        ? OwnedId<Table>
        : never;

type OwnedId<Table extends keyof Tables> =
  Selectable<Tables[Table]> extends { readonly account_record: OwnerId; readonly id: infer Id } ? Id : never;

/** A query that can be narrowed and keeps its type. */
interface Narrowable<Query> {
  where(column: 'account_record' | 'id', operator: '=' | 'in', value: unknown): Query;
}

interface Answering<Row> {
  executeTakeFirst(): Promise<Row | undefined>;
  execute(): Promise<Row[]>;
}

/** The query, narrowed to the owner's row with this id. */
export function owned<Query extends Narrowable<Query>>(query: Query, owner: OwnerId, id: IdIn<Query>): Query {
  return query.where('account_record', '=', owner).where('id', '=', id);
}

/** The owner's row with this id, for a select or a change that returns it. Null if the owner has none. */
export async function ownedRow<Query extends Narrowable<Query> & Answering<Row>, Row>(
  query: Query & Answering<Row>,
  owner: OwnerId,
  id: IdIn<Query>,
): Promise<Row | null> {
  return (await owned(query, owner, id).executeTakeFirst()) ?? null;
}

/** The owner's rows among those with these ids, in the order of the query. */
export async function ownedRows<Query extends Narrowable<Query> & Answering<Row>, Row>(
  query: Query & Answering<Row>,
  owner: OwnerId,
  ids: readonly IdIn<Query>[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  return query.where('account_record', '=', owner).where('id', 'in', ids).execute();
}

/** The columns of a row that is revoked now; one already revoked keeps its time. */
export function revokedAt(now: Date): { readonly revoked_at: RawBuilder<Date>; readonly updated: Date } {
  return { revoked_at: sql<Date>`coalesce(revoked_at, ${now}::timestamptz)`, updated: now };
}

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import type { Db, Trx } from './database.ts';
import type { DocumentAccountsTable, DocumentPiecesTable, DocumentsTable } from './document-tables.ts';
import { owned, ownedRow } from './owned-rows.ts';
import { selectPage } from './pages.ts';

type Id = RowId<'document'>;
export type Document = Selectable<DocumentsTable>;
export type DocumentPiece = Selectable<DocumentPiecesTable>;
export type DocumentAccount = Selectable<DocumentAccountsTable>;

export async function insertDocument(trx: Trx, row: Insertable<DocumentsTable>): Promise<void> {
  await trx.insertInto('documents').values(row).execute();
}

export async function findDocument(db: Db, owner: OwnerId, id: Id): Promise<Document | null> {
  return ownedRow(db.selectFrom('documents').selectAll(), owner, id);
}

/** The one with the same content; null if the owner has none. */
export async function findSameDocument(db: Db, owner: OwnerId, mac: string): Promise<Document | null> {
  const row = await db
    .selectFrom('documents')
    .selectAll()
    .where('account_record', '=', owner)
    .where('content_mac', '=', mac)
    .executeTakeFirst();
  return row ?? null;
}

export async function listDocuments(db: Db, owner: OwnerId, page: PageRequest): Promise<Page<Document>> {
  return selectPage(db.selectFrom('documents').selectAll().where('account_record', '=', owner), page);
}

/** As it is afterwards; null if the owner has none. */
export async function updateDocument(
  db: Db,
  owner: OwnerId,
  id: Id,
  change: Updateable<DocumentsTable>,
): Promise<Document | null> {
  const update = db.updateTable('documents').set(change);
  return (await owned(update, owner, id).returningAll().executeTakeFirst()) ?? null;
}

/** What it was; null if the owner has none. Its pieces are deleted with it. */
export async function deleteDocument(db: Db, owner: OwnerId, id: Id): Promise<Document | null> {
  return (await owned(db.deleteFrom('documents'), owner, id).returningAll().executeTakeFirst()) ?? null;
}

/** Deletes those with rows in the connection, and what is remembered of its accounts. */
export async function deleteDocumentsOf(
  trx: Trx,
  owner: OwnerId,
  connection: RowId<'connection'>,
): Promise<void> {
  await trx
    .deleteFrom('documents')
    .where('account_record', '=', owner)
    .where('connection', '=', connection)
    .execute();
}

/** How many documents an owner has, their bytes together, and the rows taken from them, those left out included. */
export async function weighDocuments(
  db: Db,
  owner: OwnerId,
): Promise<{ readonly count: number; readonly bytes: number; readonly rows: number }> {
  return db
    .selectFrom('documents')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'),
      sql<number>`coalesce(sum((
        select sum((part ->> 'rows')::int + (part ->> 'live')::int) from jsonb_array_elements(parts) as part
      )), 0)::float8`.as('rows'),
    ])
    .where('account_record', '=', owner)
    .executeTakeFirstOrThrow();
}

export async function insertPiece(trx: Trx, piece: DocumentPiece): Promise<void> {
  await trx.insertInto('document_pieces').values(piece).execute();
}

/** The pieces of the file, in order. */
export async function piecesOfFile(db: Db, owner: OwnerId, document: Id): Promise<DocumentPiece[]> {
  return db
    .selectFrom('document_pieces')
    .selectAll()
    .where('account_record', '=', owner)
    .where('document', '=', document)
    .where('account', 'is', null)
    .orderBy('position')
    .execute();
}

export interface AccountPiece extends DocumentPiece {
  readonly taken_at: Date;
  readonly format: Document['format'];
}

/** Documents with rows in an account, and how many bytes the pieces of those rows have. */
export async function documentsOfAccount(
  db: Db,
  owner: OwnerId,
  account: RowId<'account'>,
): Promise<readonly { readonly document: Id; readonly bytes: number }[]> {
  return db
    .selectFrom('document_pieces')
    .select(['document', sql<number>`sum(octet_length(content))::float8`.as('bytes')])
    .where('account_record', '=', owner)
    .where('account', '=', account)
    .groupBy('document')
    .orderBy('document')
    .execute();
}

/**
 * Which documents have rows in an account, and since when, as one text; null if rows may be missing for another reason
 * than that their owner took them out: one was deleted after its retention, the account was deleted in between, or the
 * account record is being deleted. One statement, so that both are of one moment.
 */
export async function filesOfAccount(
  db: Db,
  owner: OwnerId,
  account: RowId<'account'>,
): Promise<string | null> {
  const { rows } = await sql<{ readonly files: string }>`
    select coalesce((
      select string_agg(documents.id || ' ' || extract(epoch from documents.taken_at), ',' order by documents.id)
      from documents
      where documents.account_record = ${owner} and documents.taken_at is not null and exists (
        select from document_pieces
        where document_pieces.document = documents.id and document_pieces.account = ${account}
      )
    ), '') as files
    from document_accounts
    join account_records on account_records.id = document_accounts.account_record
    where document_accounts.id = ${account} and document_accounts.account_record = ${owner}
      and document_accounts.forgotten_at is null and account_records.removal_asked_at is null`.execute(db);
  return rows[0]?.files ?? null;
}

/** The pieces of the rows that are shown of an account and were taken from the documents, by document and in order. */
export async function piecesOfAccount(
  db: Db,
  owner: OwnerId,
  account: RowId<'account'>,
  documents: readonly Id[],
): Promise<AccountPiece[]> {
  const rows = await db
    .selectFrom('document_pieces')
    .innerJoin('documents', 'documents.id', 'document_pieces.document')
    .selectAll('document_pieces')
    .select(['documents.taken_at', 'documents.format'])
    .where('document_pieces.account_record', '=', owner)
    .where('document_pieces.account', '=', account)
    .where('document_pieces.document', 'in', documents)
    .orderBy('document_pieces.document')
    .orderBy('document_pieces.position')
    .execute();
  return rows.flatMap(({ taken_at, ...piece }) => (taken_at === null ? [] : [{ ...piece, taken_at }]));
}

/** Deletes the rows taken from a document; the file stays. */
export async function deletePiecesOfRows(trx: Trx, owner: OwnerId, document: Id): Promise<void> {
  await trx
    .deleteFrom('document_pieces')
    .where('account_record', '=', owner)
    .where('document', '=', document)
    .where('account', 'is not', null)
    .execute();
}

export async function documentAccounts(db: Db, owner: OwnerId): Promise<DocumentAccount[]> {
  return db.selectFrom('document_accounts').selectAll().where('account_record', '=', owner).execute();
}

/** Stores what is remembered of the account; members left out stay as they are. */
export async function rememberDocumentAccount(
  trx: Trx,
  row: Insertable<DocumentAccountsTable>,
): Promise<void> {
  const { id: _id, account_record: _owner, ...change } = row;
  await trx
    .insertInto('document_accounts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(change)
        .where('document_accounts.account_record', '=', row.account_record),
    )
    .execute();
}

/**
 * Taken documents that are kept for a time and that every sync of their accounts, of which there is one, has delivered:
 * the cursor of a stream is when its last complete read began. `over`: those for which that was found so long ago that
 * their days have passed; else those for which it was not found before.
 */
export async function deliveredDocuments(
  db: Db,
  { now, over, limit }: { readonly now: Date; readonly over: boolean; readonly limit: number },
): Promise<{ readonly id: Id; readonly account_record: OwnerId }[]> {
  const due = over
    ? sql`documents.delivered_at + documents.retain_days * interval '1 day' <= ${now}::timestamptz`
    : sql`documents.delivered_at is null`;
  const { rows } = await sql<{ readonly id: Id; readonly account_record: OwnerId }>`
    select documents.id, documents.account_record from documents
    where documents.taken_at is not null and documents.retain_days is not null and ${due}
      and not exists (
        select 1 from jsonb_array_elements(documents.parts) as part
        left join lateral (
          select count(*) as syncs,
            count(*) filter (where delivery_streams.cursor > documents.taken_at) as delivered
          from sync_accounts
          left join delivery_streams on delivery_streams.sync = sync_accounts.sync
            and delivery_streams.account = sync_accounts.account
          where sync_accounts.account = (part ->> 'account')::uuid
        ) as counted on true
        where counted.syncs = 0 or counted.delivered < counted.syncs
      )
    order by documents.taken_at, documents.id
    limit ${limit}`.execute(db);
  return rows;
}

import type { JSONColumnType } from 'kysely';
import type { CsvLayout, StatementFormat } from '../statements/statement-contract.ts';
import type { OwnerId, RowId } from '../vocabulary/ids.ts';
import type { Moment, NullableMoment } from './identity-tables.ts';

/** What was taken from a document into one account: counts, and nothing of the rows. */
export interface DocumentPart {
  readonly account: RowId<'account'>;
  readonly rows: number;
  /** Rows that the live feed of the same account has, which are left out of those above. */
  readonly live: number;
}

export interface DocumentsTable {
  id: RowId<'document'>;
  account_record: OwnerId;
  /** Null until the document is taken for the first time. */
  connection: RowId<'connection'> | null;
  /** The account, of files or live, that its owner said it belongs to. */
  account: RowId<'account'> | null;
  format: StatementFormat;
  bytes: number;
  /** `<key id>:<keyed MAC of the content>`, by which the same file is recognised. */
  content_mac: string;
  /** The name of the file, sealed: banks put account numbers into it. */
  name: Uint8Array;
  /** How its owner said that a CSV is to be read; null: as guessed, or as the last one of its account. */
  layout: JSONColumnType<CsvLayout | null, string | null, string | null>;
  /** Days for which it is kept once it is delivered everywhere; null: until it is deleted. */
  retain_days: number | null;
  parts: JSONColumnType<readonly DocumentPart[]>;
  /** Null unless its rows are shown. */
  taken_at: NullableMoment;
  undone_at: NullableMoment;
  /** When it was found to be delivered by every sync of its accounts. */
  delivered_at: NullableMoment;
  created: Moment;
  updated: Moment;
}

/** The content of a document, or the rows taken from it into an account, in order and sealed. */
export interface DocumentPiecesTable {
  id: string;
  account_record: OwnerId;
  document: RowId<'document'>;
  /** Null for a piece of the file itself. */
  account: RowId<'account'> | null;
  position: number;
  content: Uint8Array;
}

/** What is remembered of an account that files belong to. */
export interface DocumentAccountsTable {
  /** The account of the connection of statement files. */
  id: RowId<'account'>;
  account_record: OwnerId;
  /** The same account at the bank, linked live; its rows are not shown twice. */
  live_account: RowId<'account'> | null;
  layout: JSONColumnType<CsvLayout | null, string | null, string | null>;
  /** When a file of it was last deleted because its time was over. */
  forgotten_at: NullableMoment;
  updated: Moment;
}

export interface DocumentTables {
  documents: DocumentsTable;
  document_pieces: DocumentPiecesTable;
  document_accounts: DocumentAccountsTable;
}

import type { AccountType } from '../vocabulary/account-types.ts';
import type { LocalDate } from '../vocabulary/moments.ts';
import type { TransactionClass } from '../vocabulary/transactions.ts';

/** Formats of statement files. `ofx` is OFX 1 and 2 and QFX; `camt` is CAMT.053 (and 052), `mt940` also MT942. */
export const STATEMENT_FORMATS = ['ofx', 'qif', 'csv', 'camt', 'mt940'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** What a file contains: one statement for each account that it names, in the order of the file. */
export interface ParsedFile {
  readonly format: StatementFormat;
  readonly statements: readonly Statement[];
}

/** The rows of one account. Everything that the format or the file lacks is null. */
export interface Statement {
  readonly account: StatementAccount;
  readonly rows: readonly StatementRow[];
  readonly closing: StatementBalance | null;
  /** The days that the file says it covers; a row may be outside of them. */
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
  /** Rows that cannot be read, by their position in the file, which are left out of `rows`. */
  readonly unreadable: readonly UnreadableRow[];
}

export interface StatementAccount {
  /** The full number or IBAN as written: only for a keyed MAC and a mask, never stored in clear, shown or logged. */
  readonly number: string | null;
  /** The bank by its BIC, routing number or name, as written. */
  readonly bank: string | null;
  readonly name: string | null;
  readonly type: AccountType | null;
  /** Three small letters (ISO 4217). */
  readonly currency: string | null;
}

export interface StatementRow {
  /** The bank's own id of the row (FITID, AcctSvcrRef), as written. May repeat, change or be invented by the exporter. */
  readonly reference: string | null;
  readonly date: LocalDate;
  readonly valueDate: LocalDate | null;
  /** RFC 3339 with an offset, if the file gives a time of day with a zone. */
  readonly datetime: string | null;
  /** Decimal text, negative for money that leaves the account, with the digits of the file (`-12.345`). */
  readonly amount: string;
  /** Three small letters, where it differs from that of the account. */
  readonly currency: string | null;
  /** What the bank calls the row; never empty. */
  readonly description: string;
  /** Who was paid or who paid, if the file has it as a field of its own. */
  readonly counterparty: string | null;
  /** What the payer wrote: remittance information, memo. */
  readonly memo: string | null;
  readonly class: TransactionClass;
  /** A category that the file itself gives (QIF `L`, a column of a CSV). */
  readonly category: string | null;
  readonly pending: boolean;
  /**
   * For messages, from 1: the row of a CSV as a spreadsheet numbers it, header and empty rows included; in every other
   * format, which transaction of the file it is.
   */
  readonly position: number;
}

export interface StatementBalance {
  /** Decimal text with its sign. */
  readonly amount: string;
  readonly date: LocalDate | null;
}

export interface UnreadableRow {
  readonly position: number;
  readonly field: 'date' | 'amount' | 'row';
}

/** How the columns of a CSV are to be read; guessed from the file and corrected by the person. */
export interface CsvLayout {
  readonly delimiter: ',' | ';' | '\t' | '|';
  /** Lines before the header (or before the first row), empty ones included. */
  readonly skipLines: number;
  readonly header: boolean;
  /** Columns from 0. Either `amount`, or `debit` and `credit`. */
  readonly columns: {
    readonly date: number;
    readonly valueDate: number | null;
    readonly amount: number | null;
    readonly debit: number | null;
    readonly credit: number | null;
    /** Words or letters for the direction (`Af`/`Bij`, `D`/`C`, `S`/`H`) beside an amount without a sign. */
    readonly direction: number | null;
    readonly description: readonly number[];
    readonly counterparty: number | null;
    readonly reference: number | null;
    readonly currency: number | null;
    readonly category: number | null;
    readonly balance: number | null;
    /** The person's own account, where one file has rows of several; each becomes a statement. */
    readonly account: number | null;
  };
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy';
  readonly decimalSign: '.' | ',';
  /** `in`: a positive amount is money that came in; `out`: money that was spent, as some cards export. */
  readonly positive: 'in' | 'out';
}

/** What of a guess the file does not decide, so that a person should look at it. */
export const CSV_DOUBTS = ['columns', 'date_order', 'decimal_sign', 'direction'] as const;
export type CsvDoubt = (typeof CSV_DOUBTS)[number];

export interface CsvGuess {
  /** Null if no column of dates or none of amounts was found: the person has to name them. */
  readonly layout: CsvLayout | null;
  /** Empty if the file decides everything, for example because its balances add up. */
  readonly doubts: readonly CsvDoubt[];
  /** The cells of the header as written, or of the first row if there is none, to name columns by. */
  readonly header: readonly string[];
  /** The delimiter and lines before the header, also if there is no layout. */
  readonly delimiter: CsvLayout['delimiter'];
  readonly skipLines: number;
}

export interface CsvPreview {
  /** The cells of the header as written, or of the first row if the layout has none. */
  readonly header: readonly string[];
  readonly rows: readonly CsvPreviewRow[];
}

/** A record of the file and what the layout makes of it: a row, or the field that cannot be read. */
export interface CsvPreviewRow {
  readonly position: number;
  /** As written; never evaluated, and to be shown as text only. */
  readonly cells: readonly string[];
  readonly row: StatementRow | null;
  readonly unreadable: UnreadableRow['field'] | null;
}

/** Transactions that one file may contain, unreadable ones included. */
export const MAX_STATEMENT_ROWS = 100_000;
/** Bytes that one file may have. */
export const MAX_STATEMENT_BYTES = 10_000_000;

export interface ParseOptions {
  /** Only used for CSV; guessed where absent. */
  readonly layout?: CsvLayout;
  /** At most this many rows, `MAX_STATEMENT_ROWS` where absent. */
  readonly maxRows?: number;
  /** Ends the parsing within a slice of work; its reason is raised. */
  readonly signal: AbortSignal;
}

export const FILE_REFUSALS = [
  'unknown_format',
  'too_large',
  'too_many_rows',
  'too_deep',
  'entities',
  'encoding',
  'malformed',
  'empty',
] as const;
export type FileRefusal = (typeof FILE_REFUSALS)[number];

/** A file that is refused as a whole. The message never repeats its contents. */
export class UnusableFile extends Error {
  readonly reason: FileRefusal;
  constructor(reason: FileRefusal, message: string) {
    super(message);
    this.name = 'UnusableFile';
    this.reason = reason;
  }
}

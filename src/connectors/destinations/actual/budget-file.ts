import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { DestinationFailure } from '../destination-failure.ts';
import { asUnusable, unreadable } from './failures.ts';

/** Kinds of pages of a tree (https://www.sqlite.org/fileformat2.html#b_tree_pages). */
const KINDS: Readonly<
  Record<number, { readonly header: number; readonly child: boolean; readonly payload: boolean }>
> = {
  2: { header: 12, child: true, payload: true },
  5: { header: 12, child: true, payload: false },
  10: { header: 8, child: false, payload: true },
  13: { header: 8, child: false, payload: true },
};
/** On the first page, the header of the file precedes that of the page. */
const FILE_HEADER_BYTES = 100;
const LONGEST_VARINT = 9;

/**
 * The pages of an SQLite file, read to see whether reading the file terminates. SQLite follows the pages of a tree
 * wherever they lead: a small file whose pages refer to the same pages repeatedly has practically endless rows, and
 * SQLite cannot be interrupted.
 */
class FilePages {
  readonly #file: Buffer;
  readonly #size: number;
  readonly #seen = new Set<number>();
  #payload = 0;

  constructor(file: Uint8Array) {
    this.#file = Buffer.from(file.buffer, file.byteOffset, file.length);
    this.#size = file.length < FILE_HEADER_BYTES ? 0 : ((file[16] ?? 0) << 8) | ((file[17] ?? 0) << 16);
  }

  /** Whether no page occurs twice in the tree or in an earlier tree, and all together are no larger than the file. */
  hasEnd(root: number): boolean {
    const waiting = [root];
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      const children = this.#childrenOf(page);
      if (children === null) return false;
      waiting.push(...children);
    }
    return true;
  }

  /** Null for an invalid page, or one that was seen before. */
  #childrenOf(page: number): readonly number[] | null {
    const [file, size] = [this.#file, this.#size];
    const begin = (page - 1) * size;
    if (size < 512 || page < 1 || begin + size > file.length || this.#seen.has(page)) return null;
    this.#seen.add(page);
    const header = begin + (page === 1 ? FILE_HEADER_BYTES : 0);
    const kind = KINDS[file[header] ?? 0];
    if (kind === undefined) return null;
    const count = file.readUInt16BE(header + 3);
    const cells = header + kind.header;
    if (cells + 2 * count > begin + size) return null;
    const children = kind.child ? [file.readUInt32BE(header + 8)] : [];
    for (let at = 0; at < count; at++) {
      const offset = file.readUInt16BE(cells + 2 * at);
      if (offset + 4 > size) return null;
      if (kind.child) children.push(file.readUInt32BE(begin + offset));
      if (kind.payload) this.#payload += this.#varint(begin + offset + (kind.child ? 4 : 0));
    }
    return this.#payload <= file.length ? children : null;
  }

  #varint(begin: number): number {
    let value = 0;
    for (let at = begin; at < begin + LONGEST_VARINT; at++) {
      const byte = this.#file[at] ?? 0;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) break;
    }
    return value;
  }
}

export type SqlRow = Readonly<Record<string, SQLOutputValue>>;
export type SqlValue = string | number | null;

/** Text of a text cell; numbers and bytes as text, since SQLite allows any type in any column. */
export function textOf(value: SQLOutputValue | undefined): string {
  return textOrNull(value) ?? '';
}

export function textOrNull(value: SQLOutputValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value);
}

/** A whole number; 0 for anything else. */
export function integerOf(value: SQLOutputValue | undefined): number {
  return Number.isSafeInteger(Number(value)) ? Number(value) : 0;
}

/**
 * The tables of a budget that are read here, and the columns that must exist. Messages about others are only recorded.
 */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  accounts: ['name', 'offbudget', 'closed', 'sort_order', 'tombstone'],
  transactions: [
    'isParent',
    'isChild',
    'acct',
    'category',
    'amount',
    'description',
    'notes',
    'date',
    'financial_id',
    'imported_description',
    'transferred_id',
    'sort_order',
    'cleared',
    'reconciled',
    'tombstone',
  ],
  payees: ['name', 'transfer_acct', 'tombstone'],
  payee_mapping: ['targetId'],
  categories: ['name', 'cat_group', 'hidden', 'tombstone'],
  category_groups: ['name', 'hidden', 'tombstone'],
  category_mapping: ['transferId'],
  preferences: ['value'],
};
export const MESSAGES = ['timestamp', 'dataset', 'row', 'column', 'value'] as const;
/** Columns that need an index, so that in a file without them lookups are not scans. */
const INDEXES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['messages_crdt', ['dataset', 'row', 'column', 'timestamp']],
  ['messages_crdt', ['timestamp']],
  ['transactions', ['financial_id']],
  ...Object.keys(TABLES).map((table) => [table, ['id']] as const),
];
/** What could make reading or writing a row of an untrusted file take longer than it should. */
const COMPUTED = /\b(check|generated|as|virtual)\b/i;

/**
 * A budget file in memory, made harmless: it comes from an untrusted server, so nothing in it is executed. Its tables
 * are plain ones with the columns needed, its triggers are removed, and lookups have indexes. Raises DestinationFailure
 * `run_failed` for a file that cannot be used.
 *
 * @param most bytes of a file; messages may double them
 */
export function openBudgetFile(file: Uint8Array, most: number): DatabaseSync {
  const db = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  try {
    const pages = new FilePages(file);
    requireEnd(pages, 1, 'list of tables');
    db.deserialize(file);
    db.enableDefensive(true);
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA journal_mode = OFF');
    const pageBytes = integerOf(rows(db, 'PRAGMA page_size')[0]?.page_size);
    db.exec(`PRAGMA max_page_count = ${Math.ceil((2 * most) / pageBytes)}`);
    for (const { rootpage } of rows(db, 'SELECT rootpage FROM sqlite_schema WHERE rootpage > 0')) {
      requireEnd(pages, integerOf(rootpage), 'tables');
    }
    requireTables(db);
    for (const [table, columns] of INDEXES) requireIndex(db, table, columns);
    return db;
  } catch (error) {
    db.close();
    throw error instanceof DestinationFailure ? error : unreadable('it is not a database', error);
  }
}

function rows(db: DatabaseSync, sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
  return asUnusable(() => db.prepare(sql).all(...values));
}

function requireTables(db: DatabaseSync): void {
  for (const [table, columns] of [
    ...Object.entries(TABLES),
    ['messages_crdt', MESSAGES] as const,
    ['messages_clock', ['id', 'clock']] as const,
  ]) {
    const [found] = rows(db, 'SELECT type, sql FROM sqlite_schema WHERE name = ?', table);
    if (found?.type !== 'table' || COMPUTED.test(textOf(found.sql))) {
      throw unreadable(`it has no usable table ${table}`);
    }
    const columnsFound = rows(db, `PRAGMA table_info(${table})`);
    if (columnsFound.some(({ dflt_value }) => textOf(dflt_value).includes('('))) {
      throw unreadable(`its table ${table} computes a default`);
    }
    const names = new Set(columnsFound.map(({ name }) => name));
    const missing = columns.find((name) => !names.has(name));
    if (missing !== undefined) throw unreadable(`its table ${table} has no column ${missing}`);
    dropComputed(db, table);
  }
  for (const { name } of rows(db, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")) {
    db.exec(`DROP TRIGGER ${quoted(textOf(name))}`);
  }
}

/** Indexes that evaluate an expression for each row written. */
function dropComputed(db: DatabaseSync, table: string): void {
  const computed = `SELECT name FROM pragma_index_list('${table}') AS list WHERE origin = 'c' AND (partial = 1
    OR EXISTS (SELECT 1 FROM pragma_index_info(list.name) AS part WHERE part.name IS NULL))`;
  for (const { name } of rows(db, computed)) db.exec(`DROP INDEX ${quoted(textOf(name))}`);
}

function requireIndex(db: DatabaseSync, table: string, columns: readonly string[]): void {
  const existing = rows(db, `SELECT name FROM pragma_index_list('${table}') WHERE partial = 0`);
  const serves = existing.some(({ name }) => {
    const indexed = rows(db, 'SELECT name FROM pragma_index_info(?) ORDER BY seqno', textOf(name));
    return columns.every((column, at) => indexed[at]?.name === column);
  });
  if (serves) return;
  const listed = columns.map((name) => `"${name}"`).join();
  db.exec(`CREATE INDEX "tributary_${table}_${columns.join('_')}" ON ${table} (${listed})`);
}

function requireEnd(pages: FilePages, root: number, what: string): void {
  if (!pages.hasEnd(root)) {
    throw unreadable(`the pages of its ${what} are used more than once or are no pages`);
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

const inflate = promisify(inflateRaw);

const END = 0x06054b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * The contents of one file of a ZIP archive (APPNOTE 6.3, without ZIP64 and encryption), by the last part of its path.
 * Null if the archive has none or is damaged. Raises RangeError for contents of more than `most` bytes, whatever
 * size the archive states.
 */
export async function zipEntry(zip: Buffer, name: string, most: number): Promise<Buffer | null> {
  try {
    const found = entryOf(zip, name);
    if (found === null) return null;
    const { method, bytes } = found;
    if (method === STORED) {
      if (bytes.length > most) throw new RangeError('too many bytes');
      return bytes;
    }
    return method === DEFLATED ? await inflate(bytes, { maxOutputLength: most }) : null;
  } catch (error) {
    if (!(error instanceof RangeError)) return null;
    const readsPastEnd = 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
    if (readsPastEnd) return null;
    throw error;
  }
}

function entryOf(zip: Buffer, name: string): { readonly method: number; readonly bytes: Buffer } | null {
  const end = endOf(zip);
  if (end === null) return null;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) return null;
    const nameBytes = zip.readUInt16LE(at + 28);
    const path = zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    if (path === name || path.endsWith(`/${name}`)) {
      const local = zip.readUInt32LE(at + 42);
      if (zip.readUInt32LE(local) !== LOCAL) return null;
      const begin = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      return {
        method: zip.readUInt16LE(at + 10),
        bytes: zip.subarray(begin, begin + zip.readUInt32LE(at + 20)),
      };
    }
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return null;
}

/** The offset of the directory's end record, which is last except for a comment. */
function endOf(zip: Buffer): number | null {
  const first = Math.max(0, zip.length - END_BYTES - LONGEST_COMMENT);
  for (let at = zip.length - END_BYTES; at >= first; at--) if (zip.readUInt32LE(at) === END) return at;
  return null;
}

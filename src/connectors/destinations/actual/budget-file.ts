import { DatabaseSync } from 'node:sqlite';
import { DestinationFailure } from '../destination-failure.ts';
import { FilePages } from './file-pages.ts';
import { integerOf, type SqlRow, type SqlValue, textOf } from './sql-values.ts';
import { asUnusable, unreadable } from './unusable-budget.ts';

/** The tables of a budget that are read here, and the columns that must be there. Messages about others are only noted. */
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
/** What a lookup must find by an index, so that a file without them does not make each a scan. */
const INDEXES: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['messages_crdt', ['dataset', 'row', 'column', 'timestamp']],
  ['messages_crdt', ['timestamp']],
  ['transactions', ['financial_id']],
  ...Object.keys(TABLES).map((table) => [table, ['id']] as const),
];
/** What could make reading or writing a row of a foreign file run longer than a row takes. */
const COMPUTED = /\b(check|generated|as|virtual)\b/i;

/**
 * A budget file in memory, made harmless: it comes from somebody else's server, so nothing in it is executed. Its tables are
 * plain ones with the columns that are needed, its triggers are gone, and lookups find indexes. Raises DestinationFailure
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

/** Indexes that run an expression for each row that is written. */
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

/** The tables of a budget file that are used here, as in Actual. */
export const SCHEMA = `
CREATE TABLE accounts (id TEXT PRIMARY KEY, account_id TEXT, name TEXT, balance_current INTEGER, mask TEXT,
  official_name TEXT, subtype TEXT, bank TEXT, offbudget INTEGER DEFAULT 0, closed INTEGER DEFAULT 0,
  tombstone INTEGER DEFAULT 0, sort_order REAL, type TEXT, last_sync TEXT, last_reconciled TEXT);
CREATE TABLE category_groups (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, sort_order REAL,
  tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE categories (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, cat_group TEXT, sort_order REAL,
  tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0, goal_def TEXT);
CREATE TABLE category_mapping (id TEXT PRIMARY KEY, transferId TEXT);
CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT, category TEXT, tombstone INTEGER DEFAULT 0, transfer_acct TEXT,
  favorite INTEGER DEFAULT 0, learn_categories BOOLEAN DEFAULT 1);
CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT);
CREATE TABLE notes (id TEXT PRIMARY KEY, note TEXT);
CREATE TABLE preferences (id TEXT PRIMARY KEY, value TEXT);
CREATE TABLE transactions (id TEXT PRIMARY KEY, isParent INTEGER DEFAULT 0, isChild INTEGER DEFAULT 0, acct TEXT,
  category TEXT, amount INTEGER, description TEXT, notes TEXT, date INTEGER, financial_id TEXT, type TEXT, location TEXT,
  error TEXT, imported_description TEXT, starting_balance_flag INTEGER DEFAULT 0, transferred_id TEXT, sort_order REAL,
  tombstone INTEGER DEFAULT 0, cleared INTEGER DEFAULT 1, pending INTEGER DEFAULT 0, parent_id TEXT, schedule TEXT,
  reconciled INTEGER DEFAULT 0, raw_synced_data TEXT);
CREATE TABLE messages_crdt (id INTEGER PRIMARY KEY, timestamp TEXT NOT NULL UNIQUE, dataset TEXT NOT NULL,
  row TEXT NOT NULL, column TEXT NOT NULL, value BLOB NOT NULL);
CREATE TABLE messages_clock (id INTEGER PRIMARY KEY, clock TEXT);
CREATE INDEX messages_crdt_search ON messages_crdt (dataset, row, column, timestamp);
CREATE VIEW v_transactions AS
  SELECT t.id, t.isParent, t.acct AS account, t.amount, t.notes, t.date, t.financial_id AS imported_id, t.cleared,
    t.reconciled, t.sort_order, t.transferred_id AS transfer_id, cm.transferId AS category, pm.targetId AS payee
  FROM transactions t
  LEFT JOIN category_mapping cm ON cm.id = t.category
  LEFT JOIN payee_mapping pm ON pm.id = t.description
  WHERE t.date IS NOT NULL AND t.acct IS NOT NULL AND t.tombstone = 0 AND t.isChild = 0;
`;

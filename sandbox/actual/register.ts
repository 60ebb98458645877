import type { Device, Row } from './device.ts';
import type { HeldBudget } from './world.ts';

/** The columns of a register, in Actual's order. */
export const COLUMNS = ['Date', 'Payee', 'Notes', 'Category', 'Payment', 'Deposit', 'Cleared'] as const;
export type Column = (typeof COLUMNS)[number];

/** A transaction as shown to a person. Amounts are in units of the budget. */
export interface ShownTransaction {
  readonly id: string;
  readonly account: string;
  readonly date: string;
  readonly amount: number;
  readonly payee: string | null;
  readonly notes: string | null;
  readonly category: string | null;
  readonly cleared: boolean;
  readonly reconciled: boolean;
  readonly split: boolean;
  readonly transfer: string | null;
  readonly importedId: string | null;
}

const SHOWN = `SELECT t.*, c.name AS category_name, COALESCE(a.name, p.name) AS payee_name FROM v_transactions t
  LEFT JOIN payees p ON p.id = t.payee AND p.tombstone = 0
  LEFT JOIN accounts a ON a.id = p.transfer_acct
  LEFT JOIN categories c ON c.id = t.category AND c.tombstone = 0`;

/** The transactions of an account, or of all, newest first. */
export function shownTransactions(device: Device, account?: string): readonly ShownTransaction[] {
  const order = 'ORDER BY t.date DESC, t.sort_order DESC, t.id';
  const rows =
    account === undefined
      ? device.all(`${SHOWN} ${order}`)
      : device.all(`${SHOWN} WHERE t.account = ? ${order}`, account);
  return rows.map(shownOf);
}

function shownOf(row: Row): ShownTransaction {
  const text = (value: Row[string] | undefined) =>
    value === null || value === undefined ? null : String(value);
  const digits = String(row.date);
  return {
    id: String(row.id),
    account: String(row.account),
    date: `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`,
    amount: Number(row.amount ?? 0),
    payee: text(row.payee_name),
    notes: text(row.notes),
    category: row.isParent === 1 ? null : text(row.category_name),
    cleared: row.cleared === 1,
    reconciled: row.reconciled === 1,
    split: row.isParent === 1,
    transfer: text(row.transfer_id),
    importedId: text(row.imported_id),
  };
}

/** What the register shows, by column; a # is written as `##` in notes. */
export function shownValues(
  { currency }: HeldBudget,
  one: ShownTransaction,
): Readonly<Record<Column, string>> {
  const money = decimalOf(Math.abs(one.amount), currency);
  return {
    Date: one.date,
    Payee: one.payee ?? '',
    Notes: (one.notes ?? '').replaceAll('##', '#'),
    Category: one.split ? 'Split' : (one.category ?? ''),
    Payment: one.amount < 0 ? money : '',
    Deposit: one.amount < 0 ? '' : money,
    Cleared: one.reconciled ? 'reconciled' : one.cleared ? 'cleared' : 'uncleared',
  };
}

/** Units of a budget as a decimal: Actual uses no decimals for yen, and two for unknown currencies. */
export function decimalOf(units: number, currency: string): string {
  const decimals = ['JPY', 'KRW', 'IRR'].includes(currency) ? 0 : 2;
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
  return units < 0 ? `-${text}` : text;
}

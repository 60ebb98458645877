import { currencyCode } from '../../vocabulary/money.ts';
import { negated, readAmount } from '../amounts.ts';
import { readDate } from '../dates.ts';
import type { CsvLayout } from '../statement-contract.ts';
import type { RowDraft } from '../statement-draft.ts';
import { directionIn } from './csv-words.ts';

/**
 * The amount of a row as the layout says, without regard to `positive`; null if there is none, or two. A debit is money
 * out whether its column writes it with a minus (`debitsNegative`) or without.
 */
export function amountIn(row: readonly string[], layout: CsvLayout, debitsNegative: boolean): string | null {
  const { columns, decimalSign } = layout;
  const read = (column: number | null) =>
    column === null ? null : readAmount(row[column] ?? '', decimalSign);
  if (columns.amount !== null) {
    const amount = read(columns.amount);
    if (amount === null || columns.direction === null) return amount;
    const direction = directionIn(row[columns.direction] ?? '');
    if (direction === null) return null;
    const size = amount.replace('-', '');
    return direction === 'out' ? negated(size) : size;
  }
  const [debit, credit] = [filled(read(columns.debit)), filled(read(columns.credit))];
  if (debit !== null && credit !== null) return null;
  if (debit !== null) return debitsNegative ? debit : negated(debit);
  return credit ?? (read(columns.debit) !== null || read(columns.credit) !== null ? '0' : null);
}

/** The amount, or null for zero, which banks write into the column that does not apply. */
function filled(amount: string | null): string | null {
  return amount !== null && /[1-9]/.test(amount) ? amount : null;
}

/** Rows that are looked at for the sign of debits. */
const ENOUGH = 1_000;

/** Whether the column of debits has them with a minus, as most of its cells say. */
export function hasNegativeDebits(rows: readonly string[][], { columns, decimalSign }: CsvLayout): boolean {
  const { debit } = columns;
  if (debit === null) return false;
  const amounts = rows
    .slice(0, ENOUGH)
    .map((row) => filled(readAmount(row[debit] ?? '', decimalSign)))
    .filter((one) => one !== null);
  return amounts.filter((amount) => amount.startsWith('-')).length * 2 > amounts.length;
}

/** A row of the file as the layout says. */
export function rowIn(row: readonly string[], layout: CsvLayout, debitsNegative: boolean): RowDraft {
  const { columns } = layout;
  const of = (column: number | null) => (column === null ? null : (row[column] ?? null));
  const amount = amountIn(row, layout, debitsNegative);
  const isSigned = columns.amount !== null && columns.direction === null;
  const description = columns.description.map((column) => row[column] ?? '').join(' ');
  return {
    date: readDate(of(columns.date) ?? '', layout.dateOrder),
    valueDate: readDate(of(columns.valueDate) ?? '', layout.dateOrder),
    amount: amount !== null && isSigned && layout.positive === 'out' ? negated(amount) : amount,
    currency: currencyCode(of(columns.currency)?.trim() ?? ''),
    reference: of(columns.reference),
    descriptions: [description, of(columns.counterparty), of(columns.category), of(columns.reference)],
    counterparty: of(columns.counterparty),
    category: of(columns.category),
  };
}

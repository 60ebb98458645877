import { SYNC_KEYS, TRADE_FIELDS, TRANSACTION_FIELDS } from '../../../vocabulary/row-fields.ts';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { DeliveryRow, TradeRow, TransactionRow } from '../delivery-rows.ts';
import type { OpenedSync } from '../destination-opening.ts';
import { chosenFields } from '../kit/chosen-fields.ts';
import { decodeValues, encodeValues } from '../kit/encoded-row.ts';
import { type FieldValue, TRADE_VALUES, TRANSACTION_VALUES } from '../row-values.ts';

/** Besides the fields of a transaction: the person's own category alone, without what stands in where there is none. */
const CUSTOM_CATEGORY = 'custom_category';
const TRANSACTION_READERS = new Map<string, (row: TransactionRow) => FieldValue>([
  ...Object.entries(TRANSACTION_VALUES),
  [CUSTOM_CATEGORY, ({ customCategory }) => customCategory],
]);
const TRADE_READERS = new Map<string, (row: TradeRow) => FieldValue>(Object.entries(TRADE_VALUES));

/**
 * The text of a sync's rows between `encode` and `write`: every value that a column of any of its tables could show, so
 * that it does not depend on the sheet.
 */
export class RowText {
  readonly #names: readonly string[];
  /** The field that rows are found by; of positions, which have no text, an empty one. */
  readonly key: string;

  constructor({ type, columns }: Pick<OpenedSync, 'type' | 'columns'>) {
    this.key = SYNC_KEYS[type] ?? '';
    this.#names = NAMES[type](columns);
  }

  encoded(row: DeliveryRow): string {
    const shown = (name: string): FieldValue =>
      (row.kind === 'trade' ? TRADE_READERS.get(name)?.(row) : TRANSACTION_READERS.get(name)?.(row)) ?? null;
    return encodeValues(this.#names.map(shown));
  }

  /** Values by field of a row's text. @throws TypeError for text that `encoded` of the same columns has not made */
  valuesOf(text: string): Readonly<Record<string, FieldValue>> {
    const values = decodeValues(text);
    if (values.length !== this.#names.length) {
      throw new TypeError('an encoded row has another number of values');
    }
    const named: Record<string, FieldValue> = {};
    for (const [at, name] of this.#names.entries()) named[name] = values[at] ?? null;
    return named;
  }
}

/** What is encoded of the rows of each type; positions are written whole and have no text. */
const NAMES: Readonly<Record<SyncType, (columns: OpenedSync['columns']) => readonly string[]>> = {
  transactions: (columns) => transactionNames(chosenFields(columns, TRANSACTION_FIELDS, 'transaction_id')),
  trades: (columns) => chosenFields(columns, TRADE_FIELDS, 'trade_id') ?? [...TRADE_READERS.keys()],
  holdings: () => [],
};

/** With what a template makes of a chosen field besides its own value (tiller-columns.ts). */
function transactionNames(chosen: readonly string[] | null): readonly string[] {
  if (chosen === null) return [...TRANSACTION_READERS.keys()];
  const more = [
    ...(chosen.includes('date') ? ['post_date'] : []),
    ...(chosen.includes('category') ? [CUSTOM_CATEGORY] : []),
  ];
  return [...new Set([...chosen, ...more])];
}

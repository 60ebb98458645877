import type { FieldForm } from '../../../vocabulary/row-fields.ts';
import type { FieldValue } from '../row-values.ts';

/** What the value of a column is made from. */
export interface ColumnSource {
  /** The row's values by field. */
  readonly values: Readonly<Record<string, FieldValue>>;
  /** The day on which the row is written, `YYYY-MM-DD`. */
  readonly today: string;
}

export interface SheetColumn {
  /** Unique in its table; together with the table's name it is the column's metadata. */
  readonly name: string;
  readonly header: string;
  readonly form: FieldForm;
  /** Whether it is added where the sheet lacks it; others are filled only where somebody made them. */
  readonly needed: boolean;
  /** Whether an update writes it again; false where people keep what they typed. */
  readonly updated: boolean;
  /** Whether it is hidden when it is added: for us and not for people. */
  readonly hidden: boolean;
  readonly value: (source: ColumnSource) => FieldValue;
}

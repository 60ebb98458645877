/**
 * The value to write to a JSON column. Null stays null; undefined, which leaves a column unchanged, stays undefined.
 */
export function jsonColumn<Value extends object | null | undefined>(
  value: Value,
): string | Exclude<Value, object>;
export function jsonColumn(value: object | null | undefined): string | null | undefined {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

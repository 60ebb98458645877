/** What a column of JSON is set to. Null stays null, and undefined, which leaves a column as it is, undefined. */
export function jsonColumn<Value extends object | null | undefined>(
  value: Value,
): string | Exclude<Value, object>;
export function jsonColumn(value: object | null | undefined): string | null | undefined {
  return value === null || value === undefined ? value : JSON.stringify(value);
}

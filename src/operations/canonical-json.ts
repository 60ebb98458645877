/**
 * One text for all ways to write the same JSON value: the order of members does not count, that of items does. Only for
 * values whose depth was checked (storable.ts): it would exhaust the stack.
 */
export function canonicalJson(value: unknown): string {
  // Not as JSON: that says null of a number beyond every double, such as 1e999.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join()}}`;
}

import { ServiceError } from '../../vocabulary/service-error.ts';

/** Deeper than anything an operation accepts. */
const DEEPEST = 100;

/**
 * One text for all ways to write the same JSON value: the order of members does not count, that of items does. Raises
 * `body_invalid` for a value so deep that comparing it would exhaust the stack.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEEPEST) {
    throw new ServiceError('body_invalid', { message: `The body is nested deeper than ${DEEPEST} levels.` });
  }
  // Not as JSON: that says null of a number beyond every double, such as 1e999.
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join()}]`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner, depth + 1)}`).join()}}`;
}

import type { TSchema } from 'typebox';

const KEYWORD = 'x-service-unchangeable';

/** For the body of an update: fields the resource has that no update changes, and what to do instead. */
export function unchangeable(fields: readonly string[], instead: string) {
  return { [KEYWORD]: { fields, instead } };
}

/** The message for a caller that sends `field` in a body of this schema; null if the schema does not mention it. */
export function whyUnchangeable(schema: TSchema, field: string): string | null {
  const said: unknown = Object.entries(schema).find(([keyword]) => keyword === KEYWORD)?.[1];
  if (typeof said !== 'object' || said === null || !('fields' in said) || !('instead' in said)) return null;
  if (!Array.isArray(said.fields) || !said.fields.includes(field)) return null;
  return `${field} cannot be changed. ${String(said.instead)}`;
}

import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';

/** A JSON object as the vendor sent it; nothing about its members is known. */
export type WireObject = Readonly<Record<string, unknown>>;

export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An answer that cannot be what was asked for. `what` names the member, never its value. */
export function malformed(what: string): UpstreamFailure {
  return new UpstreamFailure('malformed', `The answer could not be used: ${what}.`);
}

/**
 * Parses JSON with every number as its source text: `1.10` stays `1.10`, and no digit of a large number is lost.
 * Slower than JSON.parse by a multiple, so used where numbers matter.
 */
export function parseExact(text: string): unknown {
  return parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  );
}

/** Parses JSON as usual. Good enough where numbers are looked for afterwards. */
export function parsePlain(text: string): unknown {
  return parse(text);
}

function parse(
  text: string,
  reviver?: (key: string, value: unknown, context?: { source?: string }) => unknown,
): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    throw malformed('it is not JSON');
  }
}

/**
 * A member under its snake_case name, else under its camelCase one: the vendor converts the names of the banks'
 * standard, and not every spelling is documented.
 */
export function member(object: WireObject, snake: string, camel: string): unknown {
  return object[snake] ?? object[camel];
}

/** Text of a member. Absent, null and empty text mean the same; a number or boolean is taken as its text. */
export function text(object: WireObject, snake: string, camel: string = snake): string | null {
  const value = object[snake] ?? object[camel];
  if (typeof value === 'string') return storable(value) || null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Without NUL, which JSON can carry and no database text can hold: one in a name would keep an account from landing. */
function storable(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '') : value;
}

/** An object member, or null. */
export function inner(object: WireObject, snake: string, camel: string = snake): WireObject | null {
  const value = member(object, snake, camel);
  return isWireObject(value) ? value : null;
}

/** The objects of a list member; empty when there is none. Anything else in the list is left out. */
export function list(object: WireObject, snake: string, camel: string = snake): WireObject[] {
  const value = member(object, snake, camel);
  return Array.isArray(value) ? value.filter(isWireObject) : [];
}

/** The texts of a list member; empty when there is none. */
export function texts(object: WireObject, snake: string, camel: string = snake): string[] {
  const value = member(object, snake, camel);
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string').map(storable)
    : [];
}

/** Rows of a list answer: `{plural: [...]}`, or the bare array of the older versions. Raises UpstreamFailure. */
export function rowsOf(body: unknown, plural: string): WireObject[] {
  const rows = isWireObject(body) ? body[plural] : body;
  if (!Array.isArray(rows)) throw malformed(`it has no list of ${plural}`);
  if (!rows.every(isWireObject)) throw malformed(`its list of ${plural} holds something else`);
  return rows;
}

import { brokenBound } from '../../../platform/json-bounds.ts';
import { FIXED_LIMITS, type Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';

/** A JSON object as the vendor sent it; its members are unchecked. */
export type WireObject = Readonly<Record<string, unknown>>;

const MOST_ID_CHARACTERS = 255;
const NOTHING: WireObject = {};

/** Whether a parsed value is an object; arrays and null are not. */
export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An answer that cannot be what was requested. `what` names the member, never its value. */
export function malformed(what: string): UpstreamFailure {
  return new UpstreamFailure('malformed', `The answer could not be used: ${what}.`);
}

/**
 * Parses JSON with every number as its source text: `1.10` stays `1.10`, and no digit of a large number is lost.
 * Several times slower than JSON.parse, so used only where numbers matter. Raises UpstreamFailure.
 */
export function parseExact(text: string): unknown {
  return parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  );
}

/** A JSON number as it was written: what is signed is `10.0`, and a float loses the zero. */
export class NumberText {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Parses JSON with every number as a {@link NumberText}, so that the same text can be reproduced. Raises
 * UpstreamFailure.
 */
export function parseWritten(text: string): unknown {
  return parse(text, (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new NumberText(context?.source ?? String(value)) : value,
  );
}

/** Parses JSON as usual. For callers that check for numbers afterwards. Raises UpstreamFailure. */
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
 * The object in the body of a notification; null if it is not one, or, without parsing, if it is too much work to
 * parse: anyone can send one.
 */
export function notifiedObject(
  body: Uint8Array,
  { answer_depth: depth, answer_values: values }: Pick<Limits, 'answer_depth' | 'answer_values'>,
): WireObject | null {
  if (brokenBound(body, { depth, values }) !== null) return null;
  try {
    const object: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isWireObject(object) ? object : null;
  } catch {
    return null;
  }
}

/** Whether a member was sent: some vendors send an empty text for nothing. */
export function isSent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/**
 * A member by its name, else by the other one: vendors in front of a standard convert its names, and not every spelling
 * is documented.
 */
export function member(object: WireObject, name: string, other: string): unknown {
  return object[name] ?? object[other];
}

/** Text of a member. Absent, null and empty text mean the same; a number or boolean becomes its text. */
export function text(object: WireObject, name: string, other: string = name): string | null {
  const value = object[name] ?? object[other];
  if (typeof value === 'string') return storable(value) || null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Text of a member that is stored and shown as a name: no longer than our own names may be. */
export function nameText(object: WireObject, name: string, other: string = name): string | null {
  return text(object, name, other)?.slice(0, FIXED_LIMITS.name_characters).toWellFormed() ?? null;
}

/** A vendor's id; null for none, and for one longer than any vendor's. */
export function idText(object: WireObject, name: string, other: string = name): string | null {
  const id = text(object, name, other);
  return id === null || id.length > MOST_ID_CHARACTERS ? null : id;
}

/**
 * Without NUL, which JSON can contain and database text cannot: one in a name would prevent an account from being
 * stored.
 */
function storable(value: string): string {
  return value.includes('\0') ? value.replaceAll('\0', '') : value;
}

/** An object member, or null. */
export function inner(object: WireObject, name: string, other: string = name): WireObject | null {
  const value = member(object, name, other);
  return isWireObject(value) ? value : null;
}

/** The objects of a list member; empty when there is none. Anything else in the list is left out. */
export function list(object: WireObject, name: string, other: string = name): WireObject[] {
  const value = member(object, name, other);
  return Array.isArray(value) ? value.filter(isWireObject) : [];
}

/** The texts of a list member; empty when there is none. */
export function texts(object: WireObject, name: string, other: string = name): string[] {
  const value = member(object, name, other);
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string').map(storable)
    : [];
}

/**
 * Rows of a list answer: `{plural: [...]}`, or a bare array. An entry that is not an object becomes an empty row, which
 * its map sets aside. Raises UpstreamFailure if none is an object.
 */
export function rowsOf(body: unknown, plural: string): WireObject[] {
  const rows: unknown = isWireObject(body) ? body[plural] : body;
  if (!Array.isArray(rows)) throw malformed(`it has no list of ${plural}`);
  if (rows.length > 0 && !rows.some(isWireObject))
    throw malformed(`its list of ${plural} holds something else`);
  return rows.map((row: unknown) => (isWireObject(row) ? row : NOTHING));
}

/**
 * Parses a page of rows whose `amount` is text by contract: exactly only if one is a number after all, since exact
 * parsing of a large page costs several times as much. Raises UpstreamFailure.
 */
export function parseRowsOfTexts(body: string, plural: string, amount: string): unknown {
  const plain = parsePlain(body);
  const rows = isWireObject(plain) || Array.isArray(plain) ? rowsOf(plain, plural) : [];
  return rows.some((row) => typeof row[amount] === 'number') ? parseExact(body) : plain;
}

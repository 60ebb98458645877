import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { isWireObject, type WireObject } from './json.ts';

const MOST_ID_CHARACTERS = 255;

/**
 * A member under its name, else under the other one: vendors in front of a standard convert its names, and not every
 * spelling is documented.
 */
export function member(object: WireObject, name: string, other: string): unknown {
  return object[name] ?? object[other];
}

/** Text of a member. Absent, null and empty text mean the same; a number or boolean is taken as its text. */
export function text(object: WireObject, name: string, other: string = name): string | null {
  const value = object[name] ?? object[other];
  if (typeof value === 'string') return storable(value) || null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Text of a member that is kept and shown as a name: whatever a bank sends, no longer than our own names may be. */
export function nameText(object: WireObject, name: string, other: string = name): string | null {
  return text(object, name, other)?.slice(0, FIXED_LIMITS.name_characters).toWellFormed() ?? null;
}

/** A vendor's id; null for none, and for one so long that no vendor gives it out. */
export function idText(object: WireObject, name: string, other: string = name): string | null {
  const id = text(object, name, other);
  return id === null || id.length > MOST_ID_CHARACTERS ? null : id;
}

/** Without NUL, which JSON can carry and no database text can hold: one in a name would keep an account from being stored. */
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

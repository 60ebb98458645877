import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';

/** Reads members of a value that a caller sent, raising `parameter_invalid` or `parameter_missing` with the path. */
export type Members = ReadonlyMap<string, unknown>;

/** How much of an unknown name is shown. */
const SHOWN_CHARACTERS = 40;

/** The members of an object; raises for anything else. */
export function membersOf(value: unknown, path: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParameter(path, `${path} must be an object.`);
  }
  return new Map(Object.entries(value));
}

/** Refuses members other than those named, so that a misspelt one is an error instead of being ignored. */
export function onlyMembers(members: Members, path: string, known: readonly string[]): void {
  for (const name of members.keys()) {
    if (known.includes(name)) continue;
    const shown = `${path}.${name.slice(0, SHOWN_CHARACTERS).toWellFormed()}`;
    throw invalidParameter(shown, `${shown} is not known here; ${path} accepts ${known.join(', ')}.`);
  }
}

/** A list with at least one and at most `most` entries. */
export function listOf(value: unknown, path: string, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidParameter(path, `${path} must be a list.`);
  if (value.length === 0) throw invalidParameter(path, `${path} must not be empty.`);
  if (value.length > most)
    throw invalidParameter(path, `${path} has ${value.length} entries, and ${most} is the maximum.`);
  return value;
}

/** A text of at most `most` characters; at least one unless `empty` is allowed. */
export function textOf(value: unknown, path: string, most: number, empty = false): string {
  if (value === undefined) throw missingMember(path);
  if (typeof value !== 'string') throw invalidParameter(path, `${path} must be a string.`);
  if (value === '' && !empty) throw invalidParameter(path, `${path} must not be empty.`);
  if (value.length > most) {
    throw invalidParameter(path, `${path} has ${value.length} characters, and ${most} is the maximum.`);
  }
  return value;
}

/** A boolean; absent or null is `otherwise`. */
export function flagOf(value: unknown, path: string, otherwise: boolean): boolean {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== 'boolean') throw invalidParameter(path, `${path} must be true or false.`);
  return value;
}

export function missingMember(path: string): ServiceError {
  return new ServiceError('parameter_missing', { param: path, message: `${path} is required.` });
}

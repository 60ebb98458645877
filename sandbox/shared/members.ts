import { isRecord, type Json, type JsonObject } from './json.ts';

/** The path of a member: names from the outside in. */
export type MemberPath = readonly string[];

/** Where a vendor writes what misbehaviours change. Several paths have the same value. */
export type RowMembers = {
  readonly id: readonly MemberPath[];
  readonly account: readonly MemberPath[];
  /** Amounts as decimals, and how they are written. */
  readonly amount: readonly MemberPath[];
  readonly amountAs: 'text' | 'number';
  /** The amount in the smallest unit as well; may be none. */
  readonly cents: readonly MemberPath[];
  readonly currency: readonly MemberPath[];
  readonly description: readonly MemberPath[];
  /** Days or times of the row; the first determines the order. */
  readonly moments: readonly MemberPath[];
  /** An optional time of a row. */
  readonly optionalMoment: readonly MemberPath[];
  readonly category: readonly MemberPath[];
  readonly type: readonly MemberPath[];
  readonly status: { readonly path: MemberPath; readonly pending: Json; readonly posted: Json } | null;
};

export type AccountMembers = {
  readonly id: readonly MemberPath[];
  readonly currency: readonly MemberPath[];
  readonly balance: readonly MemberPath[];
};

/** The member at a path; undefined if there is none. */
export function memberAt(object: Json, path: MemberPath): Json | undefined {
  let found: Json | undefined = object;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
}

/**
 * A copy with another value at the path; undefined leaves the member out. A path that does not exist changes nothing.
 */
export function withMember(object: JsonObject, path: MemberPath, value: Json | undefined): JsonObject {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const inner = object[name];
    return isObject(inner) ? { ...object, [name]: withMember(inner, rest, value) } : object;
  }
  if (value !== undefined) return { ...object, [name]: value };
  const { [name]: _, ...others } = object;
  return others;
}

/** A copy with the value at every path that exists. */
export function withMembers(
  object: JsonObject,
  paths: readonly MemberPath[],
  value: (old: Json) => Json | undefined,
): JsonObject {
  return paths.reduce((changed, path) => {
    const old = memberAt(changed, path);
    return old === undefined ? changed : withMember(changed, path, value(old));
  }, object);
}

/** The first path's value as text; empty if there is none. */
export function textAt(object: JsonObject, paths: readonly MemberPath[]): string {
  const [first = []] = paths;
  const value = memberAt(object, first);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

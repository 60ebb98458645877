import type { TSchema } from 'typebox';

/** A value longer than its schema allows: where it stands, as `/scopes/0`, and what it must not be. */
export interface Excess {
  readonly instancePath: string;
  readonly message: string;
}

type Finder = (value: unknown) => Excess | null;

/**
 * A search for the first text, list or object that is longer than the schema allows, or a list with an item twice. It
 * looks at each item at most once and at none of a list that is too long. A validator reports the same, but only after
 * a look at every item, which for a list of 30,000 items stopped the process for seconds; run this first.
 */
export function excessFinder(schema: TSchema): Finder {
  return finderOf(schema) ?? (() => null);
}

/** Null where the schema bounds nothing: values below it are not looked at. */
function finderOf(schema: unknown): Finder | null {
  if (typeof schema !== 'object' || schema === null) return null;
  const finders = [
    characterFinder(schema),
    itemFinder(schema),
    memberFinder(schema),
    ...branchesOf(schema).map(finderOf),
  ].filter((finder) => finder !== null);
  if (finders.length === 0) return null;
  return (value) => {
    for (const find of finders) {
      const found = find(value);
      if (found !== null) return found;
    }
    return null;
  };
}

function characterFinder(schema: object): Finder | null {
  const most = keywordOf(schema, 'maxLength');
  if (typeof most !== 'number') return null;
  const found = { instancePath: '', message: `must not have more than ${most} characters` };
  return (value) => (typeof value === 'string' && hasMoreCharacters(value, most) ? found : null);
}

/** A text has at most as many characters as UTF-16 units, so most are checked without counting. */
function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most) return false;
  if (text.length > 2 * most) return true;
  let count = 0;
  for (const _character of text) count += 1;
  return count > most;
}

function itemFinder(schema: object): Finder | null {
  if (keywordOf(schema, 'type') !== 'array') return null;
  const most = Number(keywordOf(schema, 'maxItems') ?? Number.POSITIVE_INFINITY);
  const distinct = keywordOf(schema, 'uniqueItems') === true;
  const findInside = finderOf(keywordOf(schema, 'items'));
  return (value) => {
    if (!Array.isArray(value)) return null;
    if (value.length > most) return { instancePath: '', message: `must not have more than ${most} items` };
    if (distinct && new Set(value).size < value.length) {
      return { instancePath: '', message: 'must not have duplicate items' };
    }
    return findInside === null ? null : firstInside(value.entries(), () => findInside);
  };
}

function memberFinder(schema: object): Finder | null {
  if (keywordOf(schema, 'type') !== 'object') return null;
  const most = Number(keywordOf(schema, 'maxProperties') ?? Number.POSITIVE_INFINITY);
  const named = new Map(finders(schema, 'properties'));
  const patterned = finders(schema, 'patternProperties')[0]?.[1];
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const members = Object.entries(value);
    if (members.length > most) {
      return { instancePath: '', message: `must not have more than ${most} properties` };
    }
    return firstInside(members, (name) => named.get(String(name)) ?? patterned);
  };
}

function branchesOf(schema: object): readonly unknown[] {
  const branches = keywordOf(schema, 'anyOf');
  return Array.isArray(branches) ? branches : [];
}

function keywordOf(schema: object, keyword: string): unknown {
  return Object.entries(schema).find(([name]) => name === keyword)?.[1];
}

function finders(schema: object, keyword: string): (readonly [name: string, finder: Finder])[] {
  const schemas = keywordOf(schema, keyword);
  if (typeof schemas !== 'object' || schemas === null) return [];
  return Object.entries(schemas).flatMap(([name, inner]) => {
    const finder = finderOf(inner);
    return finder === null ? [] : [[name, finder] as const];
  });
}

function firstInside(
  members: Iterable<readonly [key: string | number, value: unknown]>,
  finderFor: (key: string | number) => Finder | undefined,
): Excess | null {
  for (const [key, value] of members) {
    const found = finderFor(key)?.(value) ?? null;
    if (found !== null) {
      const part = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
      return { ...found, instancePath: `/${part}${found.instancePath}` };
    }
  }
  return null;
}

import type { TSchema } from 'typebox';

/** As much as a body may hold, less what stands around it. */
const BYTES = 64_000;

/** A value that stands somewhere in a body, and what it is. */
export interface HeavyValue {
  readonly path: readonly string[];
  readonly shape: string;
  readonly value: unknown;
}

/**
 * Every text, list and object that a body of this schema has room for, each grown to what a body may hold: with items
 * that are right, wrong, empty, nested or anyway.
 */
export function heavyValues(schema: TSchema): HeavyValue[] {
  return [...valuesAt(schema, [])];
}

function* valuesAt(schema: unknown, path: readonly string[]): Iterable<HeavyValue> {
  if (!isObject(schema)) return;
  for (const branch of listAt(schema, 'anyOf')) yield* valuesAt(branch, path);
  const here = (shape: string, value: unknown): HeavyValue => ({ path, shape, value });
  if (at(schema, 'type') === 'string') {
    yield here('one letter over and over', 'a'.repeat(BYTES));
    yield here('one letter with thousands of accents', `a${'\u0301'.repeat(BYTES / 2)}`);
    yield here('families', '👨‍👩‍👧‍👦'.repeat(BYTES / 25));
    yield here('almost a date, number or colour', `${'2026-01-01'.repeat(BYTES / 10)}!`);
  }
  if (at(schema, 'type') === 'array') {
    for (const [what, item] of ITEMS) yield here(`a list of ${what}`, filled(item));
    yield* valuesAt(at(schema, 'items'), [...path, '0']);
  }
  if (at(schema, 'type') === 'object') {
    for (const [what, item] of ITEMS.filter(([, , asMember]) => asMember)) {
      yield here(
        `an object of ${what}`,
        Object.fromEntries(filled(item, 9).map((one, no) => [`k${no}`, one])),
      );
    }
    for (const [name, inner] of membersAt(schema, 'properties')) yield* valuesAt(inner, [...path, name]);
    for (const [, inner] of membersAt(schema, 'patternProperties')) yield* valuesAt(inner, [...path, 'k']);
  }
  if (at(schema, '$comment') === 'rule_condition')
    for (const [what, one] of CONDITIONS) yield here(what, one());
}

const ITEMS: readonly (readonly [what: string, item: (no: number) => unknown, asMember?: boolean])[] = [
  ['ones', () => 1, true],
  ['numbers', (no) => no],
  ['one word', () => 'data:read'],
  ['words', (no) => `w${no}`, true],
  ['ids', (no) => `acct_${String(no).padStart(22, '0')}`],
  ['empty texts', () => ''],
  ['nothing', () => null, true],
  ['empty objects', () => ({})],
  ['objects', (no) => ({ account: `w${no}`, [`x${no}`]: 1 })],
  ['empty lists', () => []],
  ['lists in lists', () => [[[]]]],
  ['addresses', (no) => `10.${no >> 16}.${(no >> 8) & 255}.${no & 255}`],
];

const leaf = { field: 'description', operator: 'contains', value: 'x' };
const CONDITIONS: readonly (readonly [what: string, condition: () => unknown])[] = [
  ['a condition of many conditions', () => ({ all: filled(() => leaf) })],
  ['a condition of many groups', () => ({ any: filled(() => ({ not: leaf })) })],
  ['conditions within conditions', () => nested(1_000)],
  ['conditions within conditions, as deep as may be', () => ({ all: filled(() => nested(40)) })],
  ['a condition with many values', () => ({ ...leaf, operator: 'in', value: filled((no) => `w${no}`) })],
  [
    'a condition with a long pattern',
    () => ({ ...leaf, operator: 'matches', value: '(a+)+'.repeat(BYTES / 5) }),
  ],
  ['a condition with a large pattern', () => ({ ...leaf, operator: 'matches', value: '((a{99}){99}){99}' })],
];

function nested(levels: number): unknown {
  let inner: unknown = leaf;
  for (let level = 0; level < levels; level++) inner = { not: inner };
  return inner;
}

/** As many items as fit, `extra` characters for each besides its own. */
function filled(item: (no: number) => unknown, extra = 1): unknown[] {
  const items: unknown[] = [];
  for (let size = 0; ; ) {
    const next = item(items.length);
    size += Buffer.byteLength(JSON.stringify(next)) + extra;
    if (size > BYTES) return items;
    items.push(next);
  }
}

/** The smallest body that has what is required, with `value` at the path. */
export function bodyWith(schema: TSchema, { path, value }: HeavyValue): unknown {
  return placed(schema, path, value);
}

function placed(schema: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (!isObject(schema)) return value;
  const branch = listAt(schema, 'anyOf')[0];
  if (branch !== undefined) return placed(branch, path, value);
  if (at(schema, 'type') === 'array') return [placed(at(schema, 'items'), rest, value)];
  const required = new Set(listAt(schema, 'required'));
  const members = membersAt(schema, 'properties');
  const body = new Map(
    members.filter(([key]) => required.has(key)).map(([key, inner]) => [key, sample(inner)]),
  );
  const inner = new Map(members).get(name) ?? membersAt(schema, 'patternProperties')[0]?.[1];
  body.set(name, placed(inner, rest, value));
  return Object.fromEntries(body);
}

/** A small value the schema takes, as far as its type goes. */
function sample(schema: unknown): unknown {
  if (!isObject(schema)) return null;
  const [first] = [...listAt(schema, 'enum'), ...('const' in schema ? [schema.const] : [])];
  if (first !== undefined) return first;
  if (listAt(schema, 'anyOf').length > 0) return null;
  switch (at(schema, 'type')) {
    case 'array':
      return [sample(at(schema, 'items'))];
    case 'object':
      return placed(schema, ['none'], undefined);
    case 'boolean':
      return true;
    case 'integer':
      return 1;
    default:
      return 'sample';
  }
}

/** Lists, texts and objects of a schema without a bound of their own. */
export function unbounded(schema: unknown, path = ''): string[] {
  if (!isObject(schema)) return [];
  const found: string[] = [];
  const type = at(schema, 'type');
  const closedObject = 'properties' in schema || at(schema, '$comment') !== undefined;
  const bounded =
    (type === 'string' &&
      ('maxLength' in schema || 'enum' in schema || 'pattern' in schema || 'const' in schema)) ||
    (type === 'array' && 'maxItems' in schema) ||
    (type === 'object' && (closedObject || 'maxProperties' in schema)) ||
    (type !== 'string' && type !== 'array' && type !== 'object');
  if (!bounded) found.push(path);
  for (const branch of listAt(schema, 'anyOf')) found.push(...unbounded(branch, path));
  found.push(...unbounded(at(schema, 'items'), `${path}[]`));
  for (const [name, inner] of membersAt(schema, 'properties'))
    found.push(...unbounded(inner, `${path}.${name}`));
  for (const [, inner] of membersAt(schema, 'patternProperties'))
    found.push(...unbounded(inner, `${path}.*`));
  return found;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function at(schema: object, keyword: string): unknown {
  return Object.entries(schema).find(([name]) => name === keyword)?.[1];
}

function listAt(schema: object, keyword: string): readonly unknown[] {
  const list = at(schema, keyword);
  return Array.isArray(list) ? list : [];
}

function membersAt(schema: object, keyword: string): [string, unknown][] {
  const members = at(schema, keyword);
  return isObject(members) ? Object.entries(members) : [];
}

import type { TSchema } from 'typebox';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import { isLimitName, LIMITS, type LimitName, type Limits } from '../../../vocabulary/limits.ts';

const LIMITS_KEYWORD = 'x-service-limits';
const REFUSAL_KEYWORD = 'x-service-refusal';

type Bound = 'minimum' | 'maximum' | 'default' | 'maxItems' | 'maxLength' | 'maxProperties';
/** The limit that a bound has, a multiple of it, or the length of as many bytes in base64. */
type BoundBy = LimitName | readonly [LimitName, times: number | 'base64'];
/** A limit with a unit behind it. */
type TextBy = readonly [LimitName, unit: string];

/**
 * Keywords of a schema whose values an operator may set. The schema has the defaults; `withLimits` puts in those in
 * force, for the check and for the description alike.
 */
export function limited(bounds: Partial<Record<Bound, BoundBy>>) {
  const defaults: Partial<Record<Bound, number>> = {};
  for (const keyword of KEYWORDS) {
    const by = bounds[keyword];
    if (by !== undefined) defaults[keyword] = numberBy(by, (name) => LIMITS[name].default);
  }
  return { ...defaults, [LIMITS_KEYWORD]: bounds };
}

/** As `limited`, for the default of a text. */
export function defaultText(limit: LimitName, unit: string) {
  const by: TextBy = [limit, unit];
  return { default: `${LIMITS[limit].default}${unit}`, [LIMITS_KEYWORD]: { default: by } };
}

const KEYWORDS: readonly Bound[] = [
  'minimum',
  'maximum',
  'default',
  'maxItems',
  'maxLength',
  'maxProperties',
];

/** A schema with the limits in force, and without the keyword that names them. */
export function withLimits(schema: object, limits: Limits): object {
  const members = Object.entries(schema).filter(([keyword]) => keyword !== LIMITS_KEYWORD);
  const inForce = Object.fromEntries(members.map(([keyword, value]) => [keyword, resolved(value, limits)]));
  for (const [keyword, by] of boundsOf(schema)) inForce[keyword] = valueBy(by, (name) => limits[name]);
  // An operator may allow less than is usual.
  const { default: usual, maximum } = inForce;
  if (typeof usual === 'number' && typeof maximum === 'number') inForce.default = Math.min(usual, maximum);
  return inForce;
}

function resolved(value: unknown, limits: Limits): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, limits));
  return typeof value === 'object' && value !== null ? withLimits(value, limits) : value;
}

/** The limits that a schema names, anywhere in it. */
export function limitsNamed(schema: unknown): ReadonlySet<LimitName> {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const own = boundsOf(schema).map(([, by]) => (typeof by === 'string' ? by : by[0]));
  return new Set([...own, ...Object.values(schema).flatMap((inner) => [...limitsNamed(inner)])]);
}

function boundsOf(schema: object): (readonly [keyword: string, by: BoundBy | TextBy])[] {
  const named: unknown = Object.entries(schema).find(([keyword]) => keyword === LIMITS_KEYWORD)?.[1];
  if (typeof named !== 'object' || named === null) return [];
  return Object.entries(named).flatMap(([keyword, by]: [string, unknown]) =>
    isBoundBy(by) ? [[keyword, by] as const] : [],
  );
}

function isBoundBy(by: unknown): by is BoundBy | TextBy {
  if (typeof by === 'string') return isLimitName(by);
  return (
    Array.isArray(by) &&
    typeof by[0] === 'string' &&
    isLimitName(by[0]) &&
    (typeof by[1] === 'number' || typeof by[1] === 'string')
  );
}

function valueBy(by: BoundBy | TextBy, of: (name: LimitName) => number): number | string {
  if (typeof by === 'string') return of(by);
  const [name, more] = by;
  if (more === 'base64' || typeof more === 'number') return numberBy([name, more], of);
  return `${of(name)}${more}`;
}

function numberBy(by: BoundBy, of: (name: LimitName) => number): number {
  if (typeof by === 'string') return of(by);
  const [name, times] = by;
  return times === 'base64' ? 4 * Math.ceil(of(name) / 3) : of(name) * times;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** Whether `param` names the list that holds the text, without saying which of its items it is. */
  readonly ofList: boolean;
}

/** For a schema of text: the error of any text that does not match it, where that is not `parameter_invalid`. */
export function refusedAs(code: ErrorCode, message: string, { ofList = false } = {}) {
  const refusal: Refusal = { code, message, ofList };
  return { [REFUSAL_KEYWORD]: refusal };
}

/** What `refusedAs` gave a schema, or null. */
export function refusalOf(schema: object): Refusal | null {
  const refusal: unknown = Object.entries(schema).find(([keyword]) => keyword === REFUSAL_KEYWORD)?.[1];
  return isRefusal(refusal) ? refusal : null;
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
}

/** Keywords that say something to this service and nothing to those who read its schemas. */
export const OWN_KEYWORDS: ReadonlySet<string> = new Set(['$comment', LIMITS_KEYWORD, REFUSAL_KEYWORD]);

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

/** Null if the schema bounds nothing: values below it are not looked at. */
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

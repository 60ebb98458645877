import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import { isLimitName, LIMITS, type LimitName, type Limits } from '../../../vocabulary/limits.ts';

const LIMITS_KEYWORD = 'x-service-limits';
const REFUSAL_KEYWORD = 'x-service-refusal';

type Bound = 'minimum' | 'maximum' | 'default' | 'maxItems' | 'maxLength' | 'maxProperties';
/** The limit that a bound has, or a multiple of it. */
type BoundBy = LimitName | readonly [LimitName, times: number];
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
  return typeof more === 'number' ? of(name) * more : `${of(name)}${more}`;
}

function numberBy(by: BoundBy, of: (name: LimitName) => number): number {
  return typeof by === 'string' ? of(by) : of(by[0]) * by[1];
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

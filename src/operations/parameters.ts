import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { DEFAULT_LIMITS, FIXED_LIMITS, LIMITS, type Limits } from '../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../vocabulary/service-error.ts';
import { type Excess, excessFinder, limitsNamed, refusalOf, withLimits } from './v2/schema/bounds.ts';
import { arrayName, whyUnchangeable } from './v2/schema/conventions.ts';

const MAX_PARAM_CHARACTERS = 120;
/** For operations without members. */
export const NOTHING = Type.Object({}, { additionalProperties: false });

interface ValidationError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** How an error names the parameter at fault: not at all in a path, and as a query string writes it in a query. */
export type Naming = 'path' | 'query_string' | 'json';

/** From an unknown value to what a schema describes, with the current limits. */
export type Parser<T extends TObject> = (value: unknown, limits?: Limits, naming?: Naming) => Static<T>;

interface Checks {
  readonly schema: object;
  readonly validator: Validator;
  readonly findExcess: ReturnType<typeof excessFinder>;
}

/**
 * A parser from an unknown value to what the schema describes. Nothing is coerced and nothing unknown passes. Without a
 * schema nothing may be sent. Raises `parameter_missing` or `parameter_invalid`, `param` naming the first field at
 * fault; where the schema has another code for a text that does not match it (`refusedAs`), that code.
 */
export function parameterParser<T extends TObject>(given: T | undefined): Parser<T> {
  const schema = closed(given ?? NOTHING);
  // Compiled on first use: compiling those of all operations would slow down the start.
  let usual: Checks | null = null;
  const named = [...limitsNamed(schema)];
  const others = new WeakMap<Limits, Checks>();
  const checksFor = (limits: Limits): Checks => {
    if (named.every((name) => limits[name] === DEFAULT_LIMITS[name])) {
      usual ??= checksOf(schema, DEFAULT_LIMITS);
      return usual;
    }
    const checks = others.get(limits) ?? checksOf(schema, limits);
    others.set(limits, checks);
    return checks;
  };
  return (value, limits = DEFAULT_LIMITS, naming = 'json') => {
    const { schema: inForce, validator, findExcess } = checksFor(limits);
    const excess = findExcess(value);
    if (excess !== null) throw new Faults(inForce, naming).tooLong(excess);
    const check = (sent: unknown): sent is Static<T> => validator.Check(sent);
    if (check(value)) return value;
    throw new Faults(inForce, naming).first(validator.Errors(value), value);
  };
}

function checksOf(schema: object, limits: Limits): Checks {
  const inForce = withLimits(schema, limits);
  return { schema: inForce, validator: Compile(inForce), findExcess: excessFinder(inForce) };
}

/** Closes an object schema against unknown members, so that a misspelt field is an error and not silence. */
export function closed<T extends TObject>(schema: T): T {
  return { ...schema, additionalProperties: false };
}

/** What is wrong with a value, as errors. */
class Faults {
  readonly #schema: object;
  readonly #naming: Naming;

  constructor(schema: object, naming: Naming) {
    this.#schema = schema;
    this.#naming = naming;
  }

  tooLong({ instancePath, message }: Excess): ServiceError {
    const param = this.#nameOf(instancePath);
    return this.#refusalAt(instancePath) ?? invalidParameter(param, `${param}: ${message}.`);
  }

  first(errors: readonly ValidationError[], value: unknown): ServiceError {
    const telling = errors.find((error) => !NOISE.has(error.keyword)) ?? errors[0];
    if (telling === undefined) return invalidParameter('', 'The request does not match its schema.');
    const { keyword, instancePath } = telling;
    if (keyword === 'required') return this.#missingField(telling);
    if (keyword === 'additionalProperties') return this.#unknownField(telling);
    const param = this.#nameOf(instancePath);
    if (param === '') return new ServiceError('body_invalid', { message: 'The body must be a JSON object.' });
    const refusal = keyword === 'type' ? null : this.#refusalAt(instancePath);
    return (
      refusal ??
      invalidParameter(
        param,
        `${param}: ${this.#wanted(telling)}${allowedValues(telling)}${received(value)}.`,
      )
    );
  }

  /** The error that the schema has for a text that does not match it; null if it is `parameter_invalid`. */
  #refusalAt(instancePath: string): ServiceError | null {
    const at = schemaAt(this.#schema, instancePath);
    const refusal = at === null ? null : refusalOf(at);
    if (refusal === null) return null;
    const place = refusal.ofList ? instancePath.replace(/\/\d+$/, '') : instancePath;
    const param = this.#naming === 'path' ? null : this.#nameOf(place);
    return new ServiceError(refusal.code, { message: refusal.message, param });
  }

  /** What was expected, in words if the validator would say only a pattern or nothing. */
  #wanted({ keyword, instancePath, message, params }: ValidationError): string {
    if (keyword === 'const' && 'allowedValue' in params)
      return `must be ${JSON.stringify(params.allowedValue)}`;
    const described = schemaAt(this.#schema, instancePath);
    if (described === null) return message;
    if (keyword === 'pattern' && 'description' in described) {
      return `must have the form ${described.description}`;
    }
    if (keyword === 'format' && 'format' in described) return FORMS.get(described.format) ?? message;
    if (keyword !== 'minimum' && keyword !== 'maximum') return message;
    const { minimum, maximum }: { minimum?: unknown; maximum?: unknown } = described;
    return minimum === undefined || maximum === undefined
      ? message
      : `must be between ${minimum} and ${maximum}`;
  }

  #missingField({ instancePath, params }: ValidationError): ServiceError {
    const param = this.#nameOf(memberPath(instancePath, params, 'requiredProperties'));
    return new ServiceError('parameter_missing', { param, message: `${param} is required.` });
  }

  #unknownField({ instancePath, params }: ValidationError): ServiceError {
    const param = this.#nameOf(memberPath(instancePath, params, 'additionalProperties'));
    const holder = schemaAt(this.#schema, instancePath);
    if (holder !== null && 'patternProperties' in holder) {
      const most = FIXED_LIMITS.metadata_key_characters;
      return invalidParameter(param, `A key of metadata must have 1 to ${most} characters.`);
    }
    return invalidParameter(
      param,
      whyUnchangeable(this.#schema, param) ?? `${param} is not a parameter of this operation.`,
    );
  }

  #nameOf(instancePath: string): string {
    const [, parameter = ''] = instancePath.split('/');
    const schema = this.#naming === 'query_string' ? schemaAt(this.#schema, `/${parameter}`) : null;
    return schema !== null && schemaType(schema) === 'array'
      ? arrayName(parameter, schema)
      : paramName(instancePath);
  }
}

/** `boolean` only says that an unknown member is not allowed; `anyOf` repeats what its branches said. */
const NOISE: ReadonlySet<string> = new Set(['boolean', 'anyOf']);

const FORMS: ReadonlyMap<unknown, string> = new Map([
  ['date', 'must be a day such as 2026-01-31'],
  ['date-time', 'must be an RFC 3339 moment such as 2027-01-31T00:00:00Z'],
]);

/** The schema of what is at a path; null if the schema says nothing of it. */
function schemaAt(schema: object, instancePath: string): object | null {
  let at: unknown = schema;
  for (const part of instancePath.split('/').slice(1)) {
    if (!isObject(at)) return null;
    if ('items' in at && /^\d+$/.test(part)) at = whereNotNull(at.items);
    else if ('properties' in at) at = whereNotNull(memberNamed(at.properties, part));
    else return null;
  }
  return isObject(at) ? at : null;
}

function memberNamed(holder: unknown, name: string): unknown {
  return isObject(holder) ? Object.entries(holder).find(([key]) => key === name)?.[1] : undefined;
}

/** Of a schema that also takes `null`, the other one. */
function whereNotNull(schema: unknown): unknown {
  return isObject(schema) && 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf[0] : schema;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function allowedValues(error: ValidationError): string {
  if (
    error.keyword !== 'enum' ||
    !('allowedValues' in error.params) ||
    !Array.isArray(error.params.allowedValues)
  )
    return '';
  return `: ${error.params.allowedValues.join(', ')}`;
}

function received(value: unknown): string {
  return value === undefined ? ' (nothing was sent)' : '';
}

/** The path of the first of the members that an error lists. */
function memberPath(instancePath: string, params: object, list: string): string {
  const names: unknown = memberNamed(params, list);
  const first: unknown = Array.isArray(names) ? names[0] : undefined;
  const name = typeof first === 'string' ? first : '';
  return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** `/scopes/0` is `scopes[0]`, `/target/url` is `target.url`. */
function paramName(instancePath: string): string {
  let name = '';
  for (const part of instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (name !== '' && /^\d+$/.test(key)) name += `[${key}]`;
    else name += name === '' ? key : `.${key}`;
  }
  return name.slice(0, MAX_PARAM_CHARACTERS);
}

/** Whether a schema is of a JSON type, as far as reading a query string needs to know. */
export function schemaType(schema: TSchema): string | null {
  return 'type' in schema && typeof schema.type === 'string' ? schema.type : null;
}

/** Two levels for each one of nested conditions, `{all: […]}`, and some for what they are in. */
const DEEPEST = 2 * LIMITS.rule_condition_depth.max + 20;

/**
 * Refuses what could not be stored, anywhere in a value: a NUL or half a surrogate pair (`param` being its path), or
 * nesting that no operation takes and that would exhaust the stack later (`param` being the member at the top). Raises
 * `parameter_invalid`, and `body_invalid` for nesting outside of any object.
 */
export function refuseUnstorableIn(value: unknown): void {
  const rest: [value: unknown, path: string, depth: number][] = [[value, '', 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [found, at, depth] = next;
    if (typeof found === 'string') refuseUnstorable(found, at);
    if (typeof found !== 'object' || found === null) continue;
    if (depth === DEEPEST) {
      throw tooDeep(at);
    }
    const inArray = Array.isArray(found);
    for (const [key, inner] of Object.entries(found)) {
      if (!inArray) refuseUnstorable(key, at);
      rest.push([inner, pathOf(at, key, inArray), depth + 1]);
    }
  }
}

/** Deep JSON is valid JSON: RFC 8259, section 9, lets a reader set a limit, which the message names. */
function tooDeep(at: string): ServiceError {
  const [param = ''] = at.split(/[.[]/, 1);
  return param === ''
    ? new ServiceError('body_invalid', {
        message: `The body must be a JSON object, at most ${DEEPEST} levels deep.`,
      })
    : invalidParameter(
        param,
        `${param} is nested too deep: the limit is ${DEEPEST} levels of objects and lists.`,
      );
}

function pathOf(at: string, key: string, inArray: boolean): string {
  if (inArray) return `${at}[${key}]`;
  return (at === '' ? key : `${at}.${key}`).slice(0, 120);
}

/** Neither a NUL nor half a surrogate pair can be stored in the database, whatever the field. */
export function refuseUnstorable(text: string, param: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw invalidParameter(
      param.replaceAll('\0', '').toWellFormed().slice(0, 100),
      'A NUL or a broken character is not allowed in text.',
    );
  }
}

import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { FIXED_LIMITS } from '../vocabulary/limits.ts';
import { invalidParameter, ServiceError } from '../vocabulary/service-error.ts';
import { type Excess, excessFinder } from './excess.ts';
import { whyUnchangeable } from './schemas/unchangeable.ts';

const MAX_PARAM_CHARACTERS = 120;

interface ValidationError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/**
 * A parser from an unknown value to what the schema describes. Nothing is coerced and nothing unknown passes.
 * Raises `parameter_missing` or `parameter_invalid`, `param` naming the first field at fault.
 */
export function parameterParser<T extends TObject>(schema: T): (value: unknown) => Static<T> {
  const validator = Compile(schema);
  const check = (value: unknown): value is Static<T> => validator.Check(value);
  const findExcess = excessFinder(schema);
  return (value) => {
    const excess = findExcess(value);
    if (excess !== null) throw tooLong(excess);
    if (check(value)) return value;
    throw firstFault(schema, validator.Errors(value), value);
  };
}

/** Closes an object schema against unknown members, so that a misspelt field is an error and not silence. */
export function closed<T extends TObject>(schema: T): T {
  return { ...schema, additionalProperties: false };
}

function tooLong({ instancePath, message }: Excess): ServiceError {
  const param = paramName(instancePath);
  return invalidParameter(param, `${param}: ${message}.`);
}

function firstFault(schema: TSchema, errors: readonly ValidationError[], value: unknown): ServiceError {
  const telling = errors.find((error) => !NOISE.has(error.keyword)) ?? errors[0];
  if (telling === undefined) return invalidParameter('', 'The request does not match its schema.');
  if (telling.keyword === 'required') return missingField(telling);
  if (telling.keyword === 'additionalProperties') return unknownField(schema, telling);
  const param = paramName(telling.instancePath);
  if (param === '') return new ServiceError('body_invalid', { message: 'The body must be a JSON object.' });
  return invalidParameter(
    param,
    `${param}: ${wanted(schema, telling)}${allowedValues(telling)}${received(value)}.`,
  );
}

/** What was expected, in words where the validator would answer with a pattern or with nothing. */
function wanted(schema: TSchema, { keyword, instancePath, message, params }: ValidationError): string {
  if (keyword === 'const' && 'allowedValue' in params)
    return `must be ${JSON.stringify(params.allowedValue)}`;
  const described = keyword === 'pattern' ? schemaAt(schema, instancePath) : null;
  if (described !== null && 'description' in described) return `must have the form ${described.description}`;
  return message;
}

/** The schema of the field at a path, where only objects lie on the way; null otherwise. */
function schemaAt(schema: TSchema, instancePath: string): object | null {
  let at: unknown = schema;
  for (const part of instancePath.split('/').slice(1)) {
    const inside: unknown = isObject(at) && 'properties' in at ? at.properties : null;
    at = isObject(inside) ? whereNotNull(Object.entries(inside).find(([name]) => name === part)?.[1]) : null;
  }
  return isObject(at) ? at : null;
}

/** Of a schema that also takes `null`, the other one. */
function whereNotNull(schema: unknown): unknown {
  return isObject(schema) && 'anyOf' in schema && Array.isArray(schema.anyOf) ? schema.anyOf[0] : schema;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `boolean` only says that an unknown member is not allowed; `anyOf` repeats what its branches said. */
const NOISE: ReadonlySet<string> = new Set(['boolean', 'anyOf']);

function missingField(error: ValidationError): ServiceError {
  const param = joined(paramName(error.instancePath), memberOf(error.params, 'requiredProperties'));
  return new ServiceError('parameter_missing', { param, message: `${param} is required.` });
}

function unknownField(schema: TSchema, error: ValidationError): ServiceError {
  const param = joined(paramName(error.instancePath), memberOf(error.params, 'additionalProperties'));
  const holder = schemaAt(schema, error.instancePath);
  if (holder !== null && 'patternProperties' in holder) {
    const most = FIXED_LIMITS.metadata_key_characters;
    return invalidParameter(param, `A key of metadata must have 1 to ${most} characters.`);
  }
  return invalidParameter(
    param,
    whyUnchangeable(schema, param) ?? `${param} is not a parameter of this operation.`,
  );
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

function memberOf(params: object, list: string): string {
  const names: unknown = Object.entries(params).find(([key]) => key === list)?.[1];
  const first: unknown = Array.isArray(names) ? names[0] : undefined;
  return typeof first === 'string' ? first : '';
}

function joined(path: string, member: string): string {
  return (path === '' ? member : `${path}.${member}`).slice(0, MAX_PARAM_CHARACTERS);
}

/** `/scopes/0` is `scopes[0]`, `/target/url` is `target.url`. */
function paramName(instancePath: string): string {
  let name = '';
  for (const part of instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/.test(key)) name += `[${key}]`;
    else name += name === '' ? key : `.${key}`;
  }
  return name.slice(0, MAX_PARAM_CHARACTERS);
}

/** Whether a schema is of a JSON type, as far as reading a query string needs to know. */
export function schemaType(schema: TSchema): string | null {
  return 'type' in schema && typeof schema.type === 'string' ? schema.type : null;
}

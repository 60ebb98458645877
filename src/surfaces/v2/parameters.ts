import type { Static, TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';
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
  return (value) => {
    if (check(value)) return value;
    throw firstFault(schema, validator.Errors(value), value);
  };
}

/** Closes an object schema against unknown members, so that a misspelt field is an error and not silence. */
export function closed<T extends TObject>(schema: T): T {
  return { ...schema, additionalProperties: false };
}

function firstFault(schema: TSchema, errors: readonly ValidationError[], value: unknown): ServiceError {
  const telling = errors.find((error) => !NOISE.has(error.keyword)) ?? errors[0];
  if (telling === undefined) return invalidParameter('', 'The request does not fit its schema.');
  if (telling.keyword === 'required') return missingField(telling);
  if (telling.keyword === 'additionalProperties') return unknownField(schema, telling);
  const param = paramName(telling.instancePath);
  if (param === '') return new ServiceError('body_invalid', { message: 'The body must be a JSON object.' });
  return invalidParameter(param, `${param}: ${telling.message}${allowedValues(telling)}${received(value)}.`);
}

/** `boolean` only says that an unknown member met the closed door; `anyOf` repeats what its branches said. */
const NOISE: ReadonlySet<string> = new Set(['boolean', 'anyOf']);

function missingField(error: ValidationError): ServiceError {
  const param = joined(paramName(error.instancePath), memberOf(error.params, 'requiredProperties'));
  return new ServiceError('parameter_missing', { param, message: `${param} is required.` });
}

function unknownField(schema: TSchema, error: ValidationError): ServiceError {
  const param = joined(paramName(error.instancePath), memberOf(error.params, 'additionalProperties'));
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

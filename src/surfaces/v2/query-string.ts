import type { TObject, TSchema } from 'typebox';
import { refuseUnstorable, schemaType } from '../../operations/parameters.ts';
import { arrayName, isRepeated } from '../../operations/v2/schema/conventions.ts';
import { invalidParameter, ServiceError } from '../../vocabulary/service-error.ts';

/**
 * The invalid parameter as the caller wrote it or should have: an array with its brackets, unless it was written
 * without them; any other unchanged.
 */
export function paramAsWritten(param: string | null, search: string, query: TObject): string | null {
  if (param === null || new URLSearchParams(search).has(param)) return param;
  const [name = ''] = param.split('[', 1);
  const schema = Object.hasOwn(query.properties, name) ? query.properties[name] : undefined;
  return schema !== undefined && schemaType(schema) === 'array' ? arrayName(name, schema) : param;
}

const INTEGER = /^-?\d{1,15}$/;
const INCLUDE = 'include[]';

/** What a query string says, by the schema of the operation. */
export interface ParsedQuery {
  readonly values: Readonly<Record<string, unknown>>;
  readonly include: ReadonlySet<string>;
}

const NO_INCLUDES: ReadonlySet<string> = new Set();
const NOTHING: ParsedQuery = { values: {}, include: NO_INCLUDES };

/**
 * Reads a query string against its schema: `limit=5` becomes an integer, `enabled=true` a boolean, `status[]=a` an
 * array (docs/api-conventions.md#requests-and-responses), as does `a=1&a=2` where the schema says `repeated`. Text of
 * another type than the schema's stays text, and the schema refuses it. Raises `parameter_invalid` for a scalar given
 * twice or an undeclared name, and `include_invalid`.
 */
export function parseQuery(search: string, schema: TObject, includes: readonly string[]): ParsedQuery {
  if (search === '') return NOTHING;
  const values = new Map<string, unknown>();
  const include = new Set<string>();
  for (const [name, text] of new URLSearchParams(search)) {
    refuseUnstorable(name, name);
    refuseUnstorable(text, name);
    if (name === INCLUDE) {
      if (!includes.includes(text)) throw includeInvalid(text, includes);
      include.add(text);
    } else {
      addValue(values, name, text, schema, includes);
    }
  }
  return { values: Object.fromEntries(values), include };
}

function addValue(
  values: Map<string, unknown>,
  name: string,
  text: string,
  schema: TObject,
  includes: readonly string[],
): void {
  const bare = name.endsWith('[]') ? name.slice(0, -2) : name;
  const property: TSchema | undefined = Object.hasOwn(schema.properties, bare)
    ? schema.properties[bare]
    : undefined;
  const isArray = property !== undefined && schemaType(property) === 'array';
  const bracketed = isArray && !isRepeated(property);
  if (property === undefined || bracketed !== name.endsWith('[]')) {
    const shown = name.slice(0, 100);
    const meant = isArray
      ? `${bare}${bracketed ? '[]' : ''}`
      : name === 'include' && includes[0]
        ? INCLUDE
        : null;
    throw invalidParameter(
      shown,
      `${shown} is not a parameter of this operation.${meant === null ? '' : ` Write ${meant}=.`}`,
    );
  }
  const before = values.get(bare);
  if (isArray) {
    if (Array.isArray(before)) before.push(text);
    else values.set(bare, [text]);
  } else if (before === undefined) {
    values.set(bare, converted(text, property));
  } else {
    throw invalidParameter(bare, `${bare} was given more than once.`);
  }
}

function converted(text: string, schema: TSchema): unknown {
  const type = schemaType(schema);
  if (type === 'integer' && INTEGER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function includeInvalid(text: string, includes: readonly string[]): ServiceError {
  const offered = includes.length === 0 ? 'This endpoint offers none.' : `Offered: ${includes.join(', ')}.`;
  return new ServiceError('include_invalid', {
    param: INCLUDE,
    message: `include[]=${text.slice(0, 60)} is not offered. ${offered}`,
  });
}

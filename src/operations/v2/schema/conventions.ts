import { type TSchema, Type } from 'typebox';
import {
  parsePublicId,
  publicIdPattern,
  type ResourceType,
  type RowId,
  resourceLabel,
} from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { PROVIDER_ID_PATTERNS, type ProviderRow } from '../../../vocabulary/provider-kinds.ts';
import { missing } from '../../../vocabulary/service-error.ts';
import { limited, refusedAs } from './bounds.ts';

const UNCHANGEABLE = 'x-service-unchangeable';

/** For the body of an update: fields the resource has that no update changes, and what to do instead. */
export function unchangeable(fields: readonly string[], instead: string) {
  return { [UNCHANGEABLE]: { fields, instead } };
}

/** The message for a caller that sends `field` in a body of this schema; null if the schema does not mention it. */
export function whyUnchangeable(schema: TSchema, field: string): string | null {
  const said: unknown = Object.entries(schema).find(([keyword]) => keyword === UNCHANGEABLE)?.[1];
  if (typeof said !== 'object' || said === null || !('fields' in said) || !('instead' in said)) return null;
  if (!Array.isArray(said.fields) || !said.fields.includes(field)) return null;
  return `${field} cannot be changed. ${String(said.instead)}`;
}

const REPEATED = 'x-service-repeated';

/** A query array given as its plain name once a value, `account=a&account=b`, where others are `name[]`. */
export function repeated<T extends TSchema>(items: T, options: object) {
  return Type.Array(items, { ...options, [REPEATED]: true });
}

/** Whether an array of a query goes by its plain name. */
export function isRepeated(schema: TSchema): boolean {
  return Object.hasOwn(schema, REPEATED);
}

/**
 * What a query calls an array: its name in brackets, except for those that say otherwise
 * (docs/api-conventions.md#requests-and-responses).
 */
export function arrayName(name: string, schema: TSchema): string {
  return isRepeated(schema) ? name : `${name}[]`;
}

/** RFC 3339 UTC with milliseconds (docs/api-conventions.md#dates-and-times). */
export function moment(at: Date): string {
  return at.toISOString();
}

export function momentOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** Shapes every v2 resource shares (docs/api-conventions.md). */

/** One of a fixed set of words. */
export function oneOf<const T extends readonly string[]>(values: T) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });
}

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** A resource: every field present, none unknown. `object` names its schema in the description. */
export function resource<T extends Record<string, TSchema>>(object: string, fields: T) {
  return Type.Object(fields, { additionalProperties: false, $comment: object });
}

/** The name `resource` gave a schema, or null. */
export function nameOfSchema(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null || !('$comment' in schema)) return null;
  return typeof schema.$comment === 'string' ? schema.$comment : null;
}

/** The id of a row of ours. What does not look like one is refused as an id that is not there is. */
export function idOf(resource: ResourceType, description?: string) {
  return Type.String({
    pattern: publicIdPattern(resource),
    ...(description === undefined ? {} : { description }),
    ...refusedAs('resource_missing', missing(resourceLabel(resource)).message),
  });
}

/** As `idOf`, in a list whose ids that are not there are refused by the name of the list. */
export function listedIdOf(resource: ResourceType) {
  const refusal = refusedAs('resource_missing', missing(resourceLabel(resource)).message, { ofList: true });
  return Type.String({ pattern: publicIdPattern(resource), ...refusal });
}

/** The id of a row that a provider issued. */
export function providerIdOf(row: ProviderRow, options: object = {}) {
  return Type.String({ pattern: PROVIDER_ID_PATTERNS[row], ...options });
}

export const timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
});
export const day = dayOf('YYYY-MM-DD');
export const livemode = Type.Literal(true);

/** A day of the calendar. */
export function dayOf(description: string) {
  return Type.String({ format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', description });
}

/** The days of a read, which an operation takes in its query or its body. */
export const dayWindow = {
  from: dayOf('First day, YYYY-MM-DD in the zone of the account.'),
  to: dayOf('Last day, included; today when absent.'),
};

/** A moment that a caller sends. */
export function momentOf(description: string) {
  return Type.String({ format: 'date-time', maxLength: 40, description });
}

/** A place in a list of ours; one beyond the end means the end. */
export function positionOf(description?: string) {
  const bounds = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
  return Type.Integer(description === undefined ? bounds : { ...bounds, description });
}

export const currency = Type.String({ pattern: '^[a-z]{3}$', description: 'ISO 4217, lower case.' });

export const moneySchema = resource('money', {
  amount: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Minor units: cents, yen.',
  }),
  currency,
});

/** Where a person is sent after linking. What else is wrong with one, the feature says. */
export const returnUrl = Type.String({
  minLength: 1,
  maxLength: FIXED_LIMITS.url_characters,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  ...refusedAs(
    'parameter_invalid',
    `return_url must be an absolute http or https URL of at most ${FIXED_LIMITS.url_characters} characters.`,
  ),
});

/** Text a person typed: at least one character, at most `maxLength`. */
export function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

const KEY = `^[^\\u0000]{1,${FIXED_LIMITS.metadata_key_characters}}$`;
const value = Type.String({ maxLength: FIXED_LIMITS.metadata_value_characters });

/** `metadata` when something is created. */
export const metadataInput = Type.Record(Type.String({ pattern: KEY }), value, {
  additionalProperties: false,
  ...limited({ maxProperties: 'metadata_pairs' }),
});
/** `metadata` in an update: a key set to null is unset, so it may replace every pair there is. */
export const metadataPatch = Type.Record(Type.String({ pattern: KEY }), nullable(value), {
  additionalProperties: false,
  ...limited({ maxProperties: ['metadata_pairs', 2] }),
});
/** `metadata` as shown. How many pairs there are was decided when they were stored. */
export const metadataShown = nullable(Type.Record(Type.String({ pattern: KEY }), value));

/** Answer of every delete. */
export function deletedSchema(object: string, type: ResourceType) {
  return resource(`deleted_${object}`, {
    id: idOf(type),
    object: Type.Literal(object),
    deleted: Type.Literal(true),
  });
}

/** The answer of a delete (docs/api-conventions.md#deletions). */
export function deletedAnswer<T extends string>(id: string, object: T) {
  return { id, object, deleted: true as const };
}

/** Path parameter `:id` of an operation on one object. */
export function idParams(resource: ResourceType) {
  return Type.Object({ id: idOf(resource) });
}

/** The row behind an id in the path. Raises `resource_missing`, the same as for an id that is not there. */
export function pathId<N extends ResourceType>(resource: N, text: string): RowId<N> {
  return readId(resource, text, null);
}

/** The row behind an id in the query or body; `param` names the field (docs/errors.md#resource_missing). */
export function fieldId<N extends ResourceType>(resource: N, text: string, param: string): RowId<N> {
  return readId(resource, text, param);
}

function readId<N extends ResourceType>(resource: N, text: string, param: string | null): RowId<N> {
  const id = parsePublicId(resource, text);
  if (id === null) throw missing(resourceLabel(resource), param);
  return id;
}

import { type TSchema, Type } from 'typebox';
import { FIXED_LIMITS, LIMITS } from '../../vocabulary/limits.ts';

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

export const timestamp = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' });
export const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' });
export const livemode = Type.Literal(true);

export const moneySchema = resource('money', {
  amount: Type.Integer({ description: 'Minor units: cents, yen.' }),
  currency: Type.String({ pattern: '^[a-z]{3}$', description: 'ISO 4217, lower case.' }),
});

/** Text a person typed: at least one character, at most `maxLength`. */
export function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

const KEY = `^[^\\u0000]{1,${FIXED_LIMITS.metadata_key_characters}}$`;
const value = Type.String({ maxLength: FIXED_LIMITS.metadata_value_characters });
const pairs = { additionalProperties: false, maxProperties: LIMITS.metadata_pairs.max };

/** `metadata` when something is created. */
export const metadataInput = Type.Record(Type.String({ pattern: KEY }), value, pairs);
/** `metadata` in an update: a key set to null is unset, so it may replace every pair there is. */
export const metadataPatch = Type.Record(Type.String({ pattern: KEY }), nullable(value), {
  additionalProperties: false,
  maxProperties: 2 * LIMITS.metadata_pairs.max,
});
/** `metadata` as shown. */
export const metadataShown = nullable(Type.Record(Type.String(), Type.String()));

/** Answer of every delete. */
export function deletedSchema(object: string) {
  return resource(`deleted_${object}`, {
    id: Type.String(),
    object: Type.Literal(object),
    deleted: Type.Literal(true),
  });
}

/** The answer of a delete (docs/api-conventions.md#deletions). */
export function deletedAnswer<T extends string>(id: string, object: T) {
  return { id, object, deleted: true as const };
}

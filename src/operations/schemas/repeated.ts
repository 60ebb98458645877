import { type TSchema, Type } from 'typebox';

const KEYWORD = 'x-service-repeated';

/** A query array given as its plain name once a value, `account=a&account=b`, where others are `name[]`. */
export function repeated<T extends TSchema>(items: T, options: object) {
  return Type.Array(items, { ...options, [KEYWORD]: true });
}

/** Whether an array of a query goes by its plain name. */
export function isRepeated(schema: TSchema): boolean {
  return Object.hasOwn(schema, KEYWORD);
}

/**
 * What a query calls an array: its name in brackets, except for those that say otherwise
 * (docs/api-conventions.md#requests-and-responses).
 */
export function arrayName(name: string, schema: TSchema): string {
  return isRepeated(schema) ? name : `${name}[]`;
}

import { type TSchema, Type } from 'typebox';

const KEYWORD = 'x-service-repeated';

/** A query array given as its plain name once a value, `account=a&account=b`, where others are `name[]`. */
export function repeated<T extends TSchema>(items: T, options: { minItems: number; maxItems: number }) {
  return Type.Array(items, { ...options, [KEYWORD]: true });
}

/** Whether an array of a query goes by its plain name. */
export function isRepeated(schema: TSchema): boolean {
  return Object.hasOwn(schema, KEYWORD);
}

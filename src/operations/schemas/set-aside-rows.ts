import { type TSchema, Type } from 'typebox';
import { SET_ASIDE_LISTED } from '../../features/provider-gateway/set-aside-rows.ts';
import { SET_ASIDE_FIELDS, SET_ASIDE_REASONS } from '../../vocabulary/set-aside-rows.ts';
import { listOf } from '../paging.ts';
import { day, nameOfSchema, nullable, oneOf } from './conventions.ts';

/** docs/rows-set-aside.md: a row of the bank that cannot be read. */
export const setAsideSchema = Type.Object(
  {
    id: nullable(Type.String()),
    day: nullable(day),
    field: oneOf(SET_ASIDE_FIELDS),
    reason: oneOf(SET_ASIDE_REASONS),
  },
  { additionalProperties: false },
);

/** A list of rows of a bank, with those that could not be read. */
export function bankListOf<T extends TSchema>(item: T) {
  const list = listOf(item);
  const name = nameOfSchema(item);
  return Type.Object(
    {
      ...list.properties,
      set_aside: Type.Array(setAsideSchema, {
        maxItems: SET_ASIDE_LISTED,
        description:
          'Rows of the days that could not be read, which data lacks, at most 100 of them; X-Service-Rows-Set-Aside counts them all. Empty where all could be read.',
      }),
    },
    { additionalProperties: false, ...(name === null ? {} : { $comment: `${name}_list` }) },
  );
}

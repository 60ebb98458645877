import { type Static, type TSchema, Type } from 'typebox';
import { SET_ASIDE_LISTED, type SetAsideRows } from '../../features/provider-gateway/gateway-types.ts';
import { SET_ASIDE_FIELDS, SET_ASIDE_REASONS } from '../../vocabulary/set-aside-rows.ts';
import { listOf } from '../paging.ts';
import { day, nameOfSchema, nullable, oneOf } from './schema/conventions.ts';

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
          'Rows of the days that could not be read, which data lacks, at most 100 of them; X-Service-Rows-Set-Aside counts them all. Empty if all could be read.',
      }),
    },
    { additionalProperties: false, ...(name === null ? {} : { $comment: `${name}_list` }) },
  );
}

export type SetAsideMember = Static<typeof setAsideSchema>;

/** Rows of a list that could not be read, as the list shows them. */
export function presentSetAside({ rows }: SetAsideRows): SetAsideMember[] {
  return rows.map(({ id, day, field, reason }) => ({ id, day, field, reason }));
}

/** Names in a header how many there are; none where there are none. */
export function announceSetAside(
  request: { header(name: string, value: string): void },
  { count }: SetAsideRows,
) {
  if (count > 0) request.header('x-service-rows-set-aside', String(count));
}

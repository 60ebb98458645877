import type { Static } from 'typebox';
import type { SetAsideRows } from '../../features/provider-gateway/set-aside-rows.ts';
import type { setAsideSchema } from '../schemas/set-aside-rows.ts';

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

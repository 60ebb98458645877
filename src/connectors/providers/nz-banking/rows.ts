import type { Limits } from '../../../vocabulary/limits.ts';
import { malformed, type WireObject } from '../kit/json.ts';
import { inner } from '../kit/members.ts';
import { rowsOf } from '../kit/rows.ts';

/** The one thing that was asked for. Raises UpstreamFailure. */
export function itemOf(answer: WireObject): WireObject {
  const item = inner(answer, 'item');
  if (item === null) throw malformed('it holds no item');
  return item;
}

/** The rows of a list that comes whole. Raises UpstreamFailure for one that is longer than any may be. */
export function itemsOf(answer: WireObject, { list_rows: most }: Pick<Limits, 'list_rows'>): WireObject[] {
  const rows = rowsOf(answer, 'items');
  if (rows.length > most) throw malformed('its list does not end');
  return rows;
}

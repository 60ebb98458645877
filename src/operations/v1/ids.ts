import { isRowId, type ResourceType, type RowId } from '../../vocabulary/ids.ts';
import { missing } from '../../vocabulary/service-error.ts';
import { V1Refusal } from './failures.ts';

/** Which parameter named a thing that is missing decides its code (vocabulary/v1-errors.ts); null for none. */
export type NamedBy = 'connection' | 'account' | null;

/** The row behind a raw UUID, in either case. Text that is no UUID names nothing: `resource_missing`, as an unknown id. */
export function v1Id<N extends ResourceType>(resource: N, text: string, namedBy: NamedBy): RowId<N> {
  const uuid = text.trim().toLowerCase();
  if (!isRowId(resource, uuid)) throw missing(resource, namedBy);
  return uuid;
}

/**
 * The accounts of a list separated by commas, each once, in the order given. Raises the refusals `account_ids_empty` where
 * nothing is between the commas and `too_many_accounts`; `resource_missing` as `v1Id`.
 */
export function v1AccountIds(text: string, most: number, namedBy: NamedBy): RowId<'account'>[] {
  const parts = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new V1Refusal('account_ids_empty', 'accountIds names no account.');
  const named = [...new Set(parts)];
  if (named.length > most) {
    throw new V1Refusal('too_many_accounts', `accountIds names ${named.length} accounts; at most ${most}.`);
  }
  return named.map((part) => v1Id('account', part, namedBy));
}

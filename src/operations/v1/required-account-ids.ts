import type { RowId } from '../../vocabulary/ids.ts';
import { V1Refusal } from './failures.ts';
import { v1AccountIds } from './ids.ts';

/**
 * The accounts of a request that must name some, in the order in which the providers first listed them. Raises the
 * refusals `account_ids_missing` and of `v1AccountIds`; what they name is `resource_missing` without saying which.
 */
export function requiredAccountIds(text: string | undefined, most: number): RowId<'account'>[] {
  if (text === undefined || text === '') {
    throw new V1Refusal('account_ids_missing', 'accountIds is required: ids separated by commas.', {
      accountIds: ['is required'],
    });
  }
  // Ids sort by age, and an account gets its own when its provider first lists it.
  return v1AccountIds(text, most, null).toSorted();
}

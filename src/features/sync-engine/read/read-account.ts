import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { ReadContext } from '../run/run-context.ts';
import type { SourceAccount, SyncSource } from './sync-source.ts';

/** An account that was read to its end, or why it was not. */
export type ReadAccount<Result> =
  | { readonly failure: null; readonly result: Result }
  | { readonly failure: ErrorCode };

/**
 * Opens an account and reads it. An account that cannot be read does not stop the others: what it raises as
 * ServiceError is its failure. Raises everything else that is raised, and the reason of an abort.
 *
 * @param late aborts when the time for reading is up: accounts not read by then fail with `upstream_timeout`
 */
export async function readAccount<Result>(
  { sync, reading }: Pick<ReadContext, 'sync' | 'reading'>,
  source: SyncSource,
  { account }: DeliveryStream,
  read: (opened: SourceAccount) => Promise<Result>,
  late: AbortSignal | null = null,
): Promise<ReadAccount<Result>> {
  try {
    reading.throwIfAborted();
    return { failure: null, result: await read(await source.open(sync.account_record, account)) };
  } catch (error) {
    if (late?.aborted === true) return { failure: 'upstream_timeout' };
    if (error instanceof ServiceError) return { failure: error.code };
    throw error;
  }
}

/** Accounts that were read and have gone since, because of their bank or their owner: they must not count as read. */
export async function lostAccounts(
  source: SyncSource,
  owner: RowId<'account_record'>,
  read: readonly RowId<'account'>[],
): Promise<ReadonlyMap<RowId<'account'>, ErrorCode>> {
  return (await source.lost?.(owner, read)) ?? new Map();
}

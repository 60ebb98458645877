import type { LedgerEntry } from '../../../storage/delivery-ledger.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { RowsAside } from '../deliver/rejected-rows.ts';
import type { AccountRead } from '../read/run-reads.ts';
import type { SourceAccount } from '../read/sync-source.ts';
import type { ReadContext } from '../run/run-context.ts';
import { HoldingsDiff } from './holdings-diff.ts';
import type { ReadCounts, RowChange } from './row-changes.ts';
import { type DiffRows, RowsDiff } from './rows-diff.ts';
import type { VanishedOutcome } from './vanished-rows.ts';

/**
 * One account, read and compared with what was delivered, for dry runs and verifications. Runs use the same
 * comparisons, and deliver the differences.
 */
export interface AccountDiff {
  /** How much was read so far; once the read is complete, including rows that could not be read. */
  readonly counts: ReadCounts;
  /** Rows that could not be read. */
  readonly aside: RowsAside;
  /** How many rows the bank has, once the read is complete. */
  readonly bankRows: number;
  /** Ids of rows that cannot be read now, which the destination keeps as delivered. */
  readonly unreadable: ReadonlySet<string>;
  /**
   * What happened to delivered rows that are missing from the read, once it is complete; null if it does not show that.
   */
  readonly vanished: VanishedOutcome | null;
  /** What has to be sent to the destination, a page at a time; can be read once. Raises what the source raises. */
  changes(): AsyncIterable<readonly RowChange[]>;
  /** Whether a posted row of the ledger should be among those read and is not; call it once everything was read. */
  lacks(entry: Pick<LedgerEntry, 'day'> & { readonly source_id: string }): boolean;
}

/**
 * The comparison of an account by the type of its sync.
 *
 * @param begin decides how rows are read; positions are always read completely
 */
export async function accountDiff(
  context: ReadContext,
  stream: DeliveryStream,
  source: SourceAccount,
  rows: DiffRows,
  begin: () => Promise<AccountRead>,
): Promise<AccountDiff> {
  return context.sync.type === 'holdings'
    ? new HoldingsDiff(context, stream, source, rows.observer)
    : new RowsDiff(context, stream, source, rows, await begin());
}

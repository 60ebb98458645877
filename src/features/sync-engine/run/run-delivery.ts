import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { RejectedRowKey } from '../../../storage/rejected-rows.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { AccountDiff } from '../compare/account-diff.ts';
import type { ReadCounts, RowChange } from '../compare/row-changes.ts';
import type { SourceAccount, SyncSource } from '../read/sync-source.ts';
import type { AccountResult, RunFailure, RunResult } from './run-result.ts';

/** What follows from an account that was read to its end. */
export type AccountConclusion = Pick<AccountResult, 'incomplete' | 'cursor' | 'reading' | 'over' | 'hits'>;

/** One account on its way to the destination. */
export interface AccountDelivery {
  readonly diff: AccountDiff;
  /** Takes a page of its changes. */
  take(changes: readonly RowChange[]): Promise<void>;
  /** The account was read to its end, and that is counted. */
  conclude(): Promise<AccountConclusion>;
}

export interface RunDeliveryOptions {
  readonly source: SyncSource;
  /** Of the sync, also those of accounts that it has no more. */
  readonly streams: readonly DeliveryStream[];
  /** How much was read of all accounts together. */
  readonly read: ReadCounts;
}

/**
 * How a run brings its rows to the destination: in chunks (ChunkedDelivery), or each account whole (SnapshotDelivery).
 * Each method raises DestinationFailure, LeaseLost, what storage raises, or the reason of an abort.
 */
export interface RunDelivery {
  /** Before the first account: goes on where an earlier attempt at the run was cut off. */
  begin(): Promise<void>;
  /** Passes over an account that an earlier attempt delivered to its end: how many rows it had; null: it has to be read. */
  passOver(account: RowId<'account'>): number | null;
  /** Raises what the source raises. */
  open(stream: DeliveryStream, source: SourceAccount, began: Date): Promise<AccountDelivery>;
  /** After the last account. */
  end(): Promise<void>;
  /** However reading ends: what is under way is finished, so it is not left unconfirmed. */
  drain(): Promise<void>;
  /** Once the destination has ended its part. */
  prune(): Promise<void>;
  /** Rows of an account that were refused and are no more, once everything is delivered. */
  over(account: RowId<'account'>): readonly RejectedRowKey[];
  /** Why the run fails though every account was read; null where it does not. */
  failure(): RunFailure | null;
  readonly soFar: Pick<RunResult, 'unswept' | 'again' | 'refused' | 'delivered'>;
}

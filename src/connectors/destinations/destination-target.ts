import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import type { MappingMode, SyncType } from '../../vocabulary/syncs.ts';
import type { DeliveryAccount } from './delivery-rows.ts';

/** What is about to be stored of a destination, or of a sync to it, in the vendor's own ids. */
export interface TargetQuestion {
  /** Every key of the type's target. */
  readonly target: Readonly<Record<string, string>>;
  /** Places in the target that accounts are mapped to: accounts of a budget, tabs of a spreadsheet. */
  readonly places: readonly string[];
  /** Categories of the target that rows are to get. */
  readonly categories: readonly string[];
}

/** What of it cannot be written to. */
export interface TargetProblem {
  readonly part: 'target' | 'places' | 'categories';
  /** The key of the target, or the id as it was asked about. */
  readonly name: string;
  /** What is wrong and what to do, for the owner; repeats nothing that was sent. */
  readonly message: string;
}

/** What is to be made at the vendor: a target, where there is none yet, and a place in it for each of the accounts. */
export interface CreationRequest {
  /**
   * Names the wish, so that what is made can be marked with it and found by it: the same however often it is tried,
   * and another one for the next wish.
   */
  readonly key: string;
  /**
   * Whether an earlier attempt under this key may have made something. Then look for it first and answer with it; make
   * only what is not there.
   */
  readonly again: boolean;
  /** What to call a new target. */
  readonly name: string;
  /** The vendor's id of what a new target is to lie in; null where the vendor needs none. */
  readonly parent: string | null;
  /** Null: make a target too. */
  readonly target: Readonly<Record<string, string>> | null;
  readonly type: SyncType;
  readonly mappingMode: MappingMode;
  /** Accounts that need a place of their own; empty where they share one. */
  readonly accounts: readonly DeliveryAccount[];
  /** As OpenedSync.columns; absent where no sync is known yet. */
  readonly columns?: readonly string[] | null;
}

export interface CreatedTarget {
  /** Every key of the type's target. */
  readonly target: Readonly<Record<string, string>>;
  /** An entry for each of the accounts asked for. */
  readonly mappings: readonly AccountMapping[];
}

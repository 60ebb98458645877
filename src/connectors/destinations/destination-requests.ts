import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { CategoryMapping, MappingMode, SyncOptions, SyncType } from '../../vocabulary/syncs.ts';
import type { DeliveryAccount } from './delivery-rows.ts';

/** What an adapter is given to write one run. Secrets are in the clear; they are never logged. */
export interface DestinationOpening {
  /** Whose share of sockets and names its calls take. */
  readonly owner: string;
  readonly target: Readonly<Record<string, string>>;
  /** For a destination with a signing secret: those that count now, newest first. */
  readonly secrets: readonly string[];
  /** For a linked destination: the way to its grant. */
  readonly access: DestinationAccess | null;
  readonly sync: OpenedSync;
  /**
   * Which of these ids of the destination's own are those of rows that are there as the ledger has it: for a
   * destination that recognises a row by nothing else. Rows of chunks that are not recorded yet are not among them.
   */
  readonly recorded: (remoteRefs: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * The accounts of which a row with each of these source ids is at the destination as the ledger has it, in the order
   * of the sync's accounts: for a destination that keeps the ids of several accounts together (kit/shared-ids.ts). Null
   * where the destination has rows of one account at most. Rows of chunks that are not recorded yet are missing.
   */
  readonly accountsWithRows: (
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly RowId<'account'>[]> | null>;
}

/** The sync whose rows are written, as its owner set it up. */
export interface OpenedSync {
  readonly id: RowId<'sync'>;
  readonly type: SyncType;
  readonly mapping_mode: MappingMode;
  /** Where the rows of an account go, for those accounts that have a place of their own. */
  readonly account_mappings: readonly AccountMapping[];
  /** Which category of the destination's own takes rows of a provider category. */
  readonly category_mappings: readonly CategoryMapping[];
  /**
   * The fields of its rows (row-fields.ts) that its owner chose, in their order, for kit/chosen-fields.ts; null for the
   * standard ones. Destinations without columns ignore it, and so do balances.
   */
  readonly columns: readonly string[] | null;
  /** `data_from`: the first day whose rows are delivered. */
  readonly options: SyncOptions;
}

/**
 * The grant of a linked destination: text of the connector's own making, stored sealed. Many processes may use it at
 * once; a vendor that rotates refresh tokens ends a grant whose token is used twice.
 */
export interface DestinationAccess {
  /** Whose share of sockets and names calls made with it take. */
  readonly owner: string;
  /** The grant as it is stored now. Raises what storage raises. */
  current(): Promise<string>;
  /**
   * The grant that takes the place of `spent`. If another has replaced it already, that one is returned and nobody is
   * asked. Otherwise `exchange` is called, by one process at a time, and what it returns is stored before it is
   * returned here. Its signal aborts after LIMIT_READ_DEADLINE_MS and at no other time: a token that was rotated must
   * not be lost because its caller left. Raises what storage raises, and DestinationFailure `refused` where the
   * exchange failed or took too long, whether `exchange` raised that or an UpstreamFailure; a connector that had
   * written part of a chunk before makes it `unknown`.
   */
  renew(spent: string, exchange: GrantExchange): Promise<string>;
}

export type GrantExchange = (grant: string, signal: AbortSignal) => Promise<string>;

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

import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { CategoryMapping, MappingMode, SyncOptions, SyncType } from '../../vocabulary/syncs.ts';
import type { DeliveryAccount } from './delivery-rows.ts';

/** What an adapter gets to write one run. Secrets are unsealed; they are never logged. */
export interface DestinationOpening {
  /** Whose share of sockets and lookups its calls use. */
  readonly owner: string;
  readonly target: Readonly<Record<string, string>>;
  /** For a destination with a signing secret: the valid ones, newest first. */
  readonly secrets: readonly string[];
  /** For a linked destination: access to its grant. */
  readonly access: DestinationAccess | null;
  readonly sync: OpenedSync;
  /**
   * Which of these ids, which are the destination's own, belong to rows that are there according to the ledger: for a
   * destination that has no other way to recognise a row. Rows of chunks that are not yet recorded are not among them.
   */
  readonly recorded: (remoteRefs: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * For each of these source ids, the accounts of which a row with that id is at the destination according to the
   * ledger, in the order of the sync's accounts: for a destination that keeps the ids of several accounts together
   * (kit/shared-ids.ts). Null if the destination has rows of at most one account. Rows of chunks that are not yet
   * recorded are missing.
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
  /** Where the rows of an account go, for accounts with their own place. */
  readonly account_mappings: readonly AccountMapping[];
  /** Which of the destination's own categories rows of a provider category get. */
  readonly category_mappings: readonly CategoryMapping[];
  /**
   * The fields of its rows (row-fields.ts) that its owner chose, in their order, for kit/chosen-fields.ts; null for the
   * standard ones. Ignored by destinations without columns, and for balances.
   */
  readonly columns: readonly string[] | null;
  /** `data_from`: the first day whose rows are delivered. */
  readonly options: SyncOptions;
}

/**
 * The grant of a linked destination: text that the connector made, stored sealed. Many processes may use it at once; a
 * vendor that rotates refresh tokens ends a grant whose token is used twice.
 */
export interface DestinationAccess {
  /** Whose share of sockets and lookups calls made with it use. */
  readonly owner: string;
  /** The grant as currently stored. Raises what storage raises. */
  current(): Promise<string>;
  /**
   * The grant that replaces `spent`. If it has already been replaced, the stored one is returned without a call.
   * Otherwise `exchange` is called, by one process at a time, and what it returns is stored before it is returned here.
   * Its signal aborts only after LIMIT_READ_DEADLINE_MS: a token that was rotated must not be lost because its caller
   * left. Raises what storage raises, and DestinationFailure `refused` if the exchange failed or took too long, whether
   * `exchange` raised that or an UpstreamFailure; a connector that had already written part of a chunk makes it
   * `unknown`.
   */
  renew(spent: string, exchange: GrantExchange): Promise<string>;
}

export type GrantExchange = (grant: string, signal: AbortSignal) => Promise<string>;

/** What is about to be stored for a destination, or a sync to it, in the vendor's own ids. */
export interface TargetQuestion {
  /** Every key of the type's target. */
  readonly target: Readonly<Record<string, string>>;
  /** Places in the target that accounts are mapped to: accounts of a budget, tabs of a spreadsheet. */
  readonly places: readonly string[];
  /** Categories of the target that rows should get. */
  readonly categories: readonly string[];
}

/** What cannot be written to. */
export interface TargetProblem {
  readonly part: 'target' | 'places' | 'categories';
  /** The key of the target, or the id that was checked. */
  readonly name: string;
  /** What is wrong and what to do, for the owner; repeats no input. */
  readonly message: string;
}

/** What to create at the vendor: a target, if there is none yet, and a place in it for each of the accounts. */
export interface CreationRequest {
  /**
   * Identifies the request, so that what is created can be marked with it and found by it: the same for every attempt,
   * and different for every request.
   */
  readonly key: string;
  /**
   * Whether an earlier attempt with this key may have created something. If so, look for it first and return it; create
   * only what is missing.
   */
  readonly again: boolean;
  /** The name of a new target. */
  readonly name: string;
  /** The vendor's id of the parent of a new target; null if the vendor needs none. */
  readonly parent: string | null;
  /** Null: create a target too. */
  readonly target: Readonly<Record<string, string>> | null;
  readonly type: SyncType;
  readonly mappingMode: MappingMode;
  /** Accounts that need their own place; empty if they share one. */
  readonly accounts: readonly DeliveryAccount[];
  /** Like OpenedSync.columns; absent if there is no sync yet. */
  readonly columns?: readonly string[] | null;
}

export interface CreatedTarget {
  /** Every key of the type's target. */
  readonly target: Readonly<Record<string, string>>;
  /** An entry for each of the requested accounts. */
  readonly mappings: readonly AccountMapping[];
}

import type { AccountMapping } from '../../vocabulary/account-mappings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { CategoryMapping, MappingMode, SyncOptions, SyncType } from '../../vocabulary/syncs.ts';

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

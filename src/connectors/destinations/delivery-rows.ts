import type { AccountType } from '../../vocabulary/account-types.ts';
import type { AttemptFailure } from '../../vocabulary/event-deliveries.ts';
import type { Holding, Trade } from '../../vocabulary/holdings.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Money } from '../../vocabulary/money.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Refusal } from '../../vocabulary/verifications.ts';

/** The account a row belongs to, as shown in rows. */
export interface DeliveryAccount {
  readonly id: RowId<'account'>;
  readonly name: string;
  readonly institution: string;
  readonly type: AccountType;
  /** `xxxx` plus four digits. */
  readonly maskedNumber: string | null;
}

/** One row to write. `kind` follows the sync's type: a sync delivers rows of one kind. */
export type DeliveryRow = TransactionRow | TradeRow;

export interface TransactionRow {
  readonly kind: 'transaction';
  readonly account: DeliveryAccount;
  readonly transaction: Transaction;
  /** The person's own category, if the sync includes it and a category claims the row. */
  readonly customCategory: string | null;
  /** A note that a rule set on the row. */
  readonly memo: string | null;
  /** Tags that rules set on the row, without duplicates. */
  readonly tags: readonly string[];
  /** Set if this posted row replaces a pending one: the pending row's id. */
  readonly replaces: string | null;
}

export interface TradeRow {
  readonly kind: 'trade';
  readonly account: DeliveryAccount;
  readonly trade: Trade;
}

/**
 * Everything an account has of one kind at one time. It replaces what was written of the account before: rows of the
 * account that are not in it are removed. Rows of other accounts are kept.
 */
export type Snapshot = HoldingsSnapshot | BalanceSnapshot;

export interface HoldingsSnapshot {
  readonly kind: 'holdings';
  readonly account: DeliveryAccount;
  /** Epoch milliseconds at which the provider was asked. */
  readonly readAt: number;
  readonly holdings: readonly Holding[];
}

export interface BalanceSnapshot {
  readonly kind: 'balance';
  readonly account: DeliveryAccount;
  /** Epoch milliseconds at which the provider answered. */
  readonly readAt: number;
  /** Lower-case ISO 4217 code. */
  readonly currency: string;
  readonly current: Money | null;
  readonly available: Money | null;
}

export interface ChunkRow {
  /**
   * The source's id. A row is identified by its account and this id together: rows of two accounts may have the same
   * id, though never in one chunk.
   */
  readonly id: string;
  /**
   * The row's account: if accounts have their own places, it determines the row's place. An updated row may be in
   * another, if the account's mapping has since changed, and must then be moved.
   */
  readonly account: RowId<'account'>;
  /** Encoded text; null for a removal, which has only its id. */
  readonly text: string | null;
  /**
   * The id of the pending row that this posted row replaces; the destination should show one of the two. Null for every
   * other row, including an update of the row itself.
   */
  readonly replaces: string | null;
  /** The destination's own id of the row, or of the row it replaces; null if unknown. */
  readonly remoteRef: string | null;
}

/** Rows that are sent together. `eventId` and `created` stay the same however often the chunk is tried. */
export interface OutgoingChunk {
  readonly eventId: string;
  /** The run that produced it; null outside a run. */
  readonly run: RowId<'sync_run'> | null;
  /** From 1. */
  readonly number: number;
  /** Known only for the last chunk of a run, where it equals `number`. */
  readonly total: number | null;
  /** The form its rows were encoded in (DestinationConnector.rowForm). */
  readonly rowForm: number;
  /** Epoch milliseconds at which the chunk was first built. */
  readonly created: number;
  /** Whether an earlier attempt may have written some or all of it. */
  readonly again: boolean;
  readonly added: readonly ChunkRow[];
  readonly updated: readonly ChunkRow[];
  readonly removed: readonly ChunkRow[];
  /**
   * Called after each attempt that ended, by adapters that send a chunk in one call; an aborted attempt is not
   * reported. Must not raise.
   */
  readonly attempted?: (attempt: ChunkAttempt) => void;
}

/** One attempt to send a chunk. */
export interface ChunkAttempt {
  /** Epoch milliseconds at which it began. */
  readonly at: number;
  readonly durationMs: number;
  /** Of the answer; null if there was none. */
  readonly status: number | null;
  /** Why there was no answer. */
  readonly failure: AttemptFailure | null;
  /** The beginning of an unsuccessful answer, as text; null for none. */
  readonly answer: string | null;
}

export interface WrittenChunk {
  /** Source ids of rows that the destination refused individually. */
  readonly rejected: readonly string[];
  /** What the destination cannot show of them, by source id, if known. */
  readonly refusals?: ReadonlyMap<string, Refusal>;
  /** The destination's own ids by source id; empty if it has none. */
  readonly remoteRefs: ReadonlyMap<string, string>;
  /**
   * Rows of `added` that existed before the chunk's first attempt, by source id, as after a resync: they do not count
   * as added. `same`: the row already showed everything that was sent. `updated`: it does now. A row that an earlier
   * attempt of this chunk wrote is not among them; if the destination cannot distinguish the two, neither is.
   */
  readonly existed: ReadonlyMap<string, ExistedAs>;
}

export type ExistedAs = 'same' | 'updated';

/** A row that was looked up and found at the destination. */
export interface ExistingRow {
  readonly remoteRef: string | null;
  /** Whether it certainly was there before the chunk's first attempt, so that no attempt of the chunk wrote it. */
  readonly older: boolean;
}

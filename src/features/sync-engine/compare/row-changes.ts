import type { DeliveryAccount, HoldingsSnapshot } from '../../../connectors/destinations/delivery-rows.ts';
import type { DestinationWriter } from '../../../connectors/destinations/destination-contract.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { Holding } from '../../../vocabulary/holdings.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { RowPlaces } from '../../syncs/row-places.ts';
import {
  dayOf,
  isPending,
  isTrade,
  plainTrade,
  postingDayOf,
  type RowRules,
  type RuledRow,
  type SourceRow,
} from '../read/source-row.ts';
import type { SourceAccount } from '../read/sync-source.ts';
import type { RowMacs } from './row-macs.ts';

/** One thing to tell the destination. */
export interface Change {
  readonly stream: number;
  readonly account: RowId<'account'>;
  /** The source's id of the row, `txn_…`. */
  readonly id: string;
  readonly change: 'new' | 'updated' | 'removed';
  /** Whether the row is new to the ledger. */
  readonly fresh: boolean;
  /**
   * null: not counted, because it is unknown whether the destination has the row. `redelivered`: a row of a resync that
   * was delivered before, which counts as added only if the destination reports that it was gone.
   */
  readonly countsAs: 'added' | 'updated' | 'redelivered' | null;
  /** The row encoded for the destination; null for a removal. */
  readonly text: string | null;
  /** Hexadecimal; empty if it is unknown what the destination has of the row. */
  readonly contentMac: string;
  /** As RowMacs.pair; null for rows that have none. */
  readonly pairMac: string | null;
  /** The row that it replaces: a pending one that posted, or the same row under its former id. */
  readonly replaces: string | null;
  readonly provisional: boolean;
  readonly matchMac: string | null;
  /** Days since 1970: of the posting or, for a pending row, of the purchase. */
  readonly day: number | null;
  /** The destination's own id of the row, or of the row it replaces. */
  readonly remoteRef: string | null;
  /** The rules that were applied to the row. */
  readonly hits: readonly RowId<'rule'>[];
}

/** How much has been read so far in one attempt at a run or an account. */
export interface ReadCounts {
  processed: number;
  skipped: number;
}

/**
 * Changes read but not yet in the ledger. Without it, a row that the source repeats while its first copy is in flight
 * would look new, and a row that is being replaced could be replaced twice.
 */
export class ChangesUnderWay {
  readonly #ids = new Map<number, Set<string>>();

  has(stream: number, id: string): boolean {
    return this.#ids.get(stream)?.has(id) === true;
  }

  add({ stream, id, replaces }: Pick<Change, 'stream' | 'id' | 'replaces'>): void {
    const ids = this.#ids.get(stream) ?? new Set();
    if (ids.size === 0) this.#ids.set(stream, ids);
    ids.add(id);
    if (replaces !== null) ids.add(replaces);
  }

  delete(changes: readonly Change[]): void {
    for (const { stream, id, replaces } of changes) {
      const ids = this.#ids.get(stream);
      ids?.delete(id);
      if (replaces !== null) ids?.delete(replaces);
    }
  }
}

/** A position, with the snapshot that it is written in. Rules are about transactions. */
export interface RuledHolding {
  readonly kind: 'holding';
  readonly holding: Holding;
  readonly snapshot: HoldingsSnapshot;
}

/** A change as the comparison finds it, before its row is encoded for the destination. */
export interface RowChange extends Omit<Change, 'text'> {
  /** The row and the account it names; null if there is no row to write. */
  readonly content: { readonly account: DeliveryAccount; readonly row: RuledRow | RuledHolding } | null;
}

/** What turns rows into changes. */
interface RowContext {
  readonly rules: RowRules;
  readonly macs: RowMacs;
  readonly places: RowPlaces;
}

/** The row after the sync's rules. */
export function ruledRow(
  { rules }: Pick<RowContext, 'rules'>,
  row: SourceRow,
  { account }: DeliveryStream,
): RuledRow {
  return isTrade(row) ? plainTrade(row) : rules(row, account);
}

/** The MAC that the ledger stores for the row once it is sent in this generation of the stream. */
export function contentMacOf(
  { macs, places }: Pick<RowContext, 'macs' | 'places'>,
  { account }: DeliveryStream,
  row: RuledRow,
  generation: number,
): string {
  const place = row.kind === 'trade' ? [] : places.of(account, row.transaction);
  return macs.content(row, { place, fields: places.fields, generation });
}

/** A row as a change. */
export function changeOf(
  context: Pick<RowContext, 'macs' | 'places'>,
  stream: DeliveryStream,
  { account }: Pick<SourceAccount, 'account'>,
  row: RuledRow,
  more: {
    change: 'new' | 'updated';
    countsAs: 'added' | 'updated' | 'redelivered';
    fresh?: boolean;
    replaces?: string | null;
    remoteRef?: string | null;
  },
): RowChange {
  const shown = row.kind === 'trade' ? row.trade : row.transaction;
  const provisional = isPending(shown);
  return {
    stream: stream.id,
    account: stream.account,
    id: shown.id,
    change: more.change,
    fresh: more.fresh ?? false,
    countsAs: more.countsAs,
    content: { account, row },
    contentMac: contentMacOf(context, stream, row, stream.generation),
    pairMac: row.kind === 'transaction' ? context.macs.pair(row.source) : null,
    replaces: more.replaces ?? null,
    provisional,
    matchMac: provisional && row.kind === 'transaction' ? context.macs.match(row) : null,
    day: provisional ? dayOf(shown) : postingDayOf(shown),
    remoteRef: more.remoteRef ?? null,
    hits: row.hits,
  };
}

/** A row that is gone. */
export function removalOf(stream: DeliveryStream, id: string, remoteRef: string | null): RowChange {
  return {
    stream: stream.id,
    account: stream.account,
    id,
    change: 'removed',
    fresh: false,
    countsAs: 'updated',
    content: null,
    contentMac: '',
    pairMac: null,
    replaces: null,
    provisional: true,
    matchMac: null,
    day: null,
    remoteRef,
    hits: [],
  };
}

/** The change with its row encoded for the destination. */
export function encodedChange(
  { writer, rowForm }: { readonly writer: Pick<DestinationWriter, 'encode'>; readonly rowForm: number },
  change: RowChange,
): Change {
  // Member by member: rest and spread give each object a hash table of its own, most of what a sync allocated.
  return {
    stream: change.stream,
    account: change.account,
    id: change.id,
    change: change.change,
    fresh: change.fresh,
    countsAs: change.countsAs,
    text: textOf(writer, rowForm, change),
    contentMac: change.contentMac,
    pairMac: change.pairMac,
    replaces: change.replaces,
    provisional: change.provisional,
    matchMac: change.matchMac,
    day: change.day,
    remoteRef: change.remoteRef,
    hits: change.hits,
  };
}

function textOf(
  writer: Pick<DestinationWriter, 'encode'>,
  rowForm: number,
  { content, replaces }: RowChange,
): string | null {
  if (content === null) return null;
  const { account, row } = content;
  if (row.kind === 'holding') throw new TypeError('positions are written whole and not one by one');
  if (row.kind === 'trade') return writer.encode({ kind: 'trade', account, trade: row.trade }, rowForm);
  const { transaction, customCategory, memo, tags } = row;
  return writer.encode(
    { kind: 'transaction', account, transaction, customCategory, memo, tags, replaces },
    rowForm,
  );
}

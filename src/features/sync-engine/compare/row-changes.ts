import type { DeliveryAccount, HoldingsSnapshot } from '../../../connectors/destinations/delivery-rows.ts';
import type { DestinationWriter } from '../../../connectors/destinations/destination-contract.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { Holding } from '../../../vocabulary/holdings.ts';
import { dayOf, isPending, isTrade, postingDayOf, type SourceRow } from '../read/source-row.ts';
import type { SourceAccount } from '../read/sync-source.ts';
import type { ReadContext, RunContext } from '../run/run-context.ts';
import type { Change } from './change.ts';
import { plainTrade, type RuledRow } from './row-rules.ts';

/** A position, with the snapshot that it is written in. Rules are about transactions. */
export interface RuledHolding {
  readonly kind: 'holding';
  readonly holding: Holding;
  readonly snapshot: HoldingsSnapshot;
}

/** A change as the comparison finds it, before its row is encoded for the destination. */
export interface RowChange extends Omit<Change, 'text'> {
  /** The row and the account it names; null where there is no row to write. */
  readonly content: { readonly account: DeliveryAccount; readonly row: RuledRow | RuledHolding } | null;
}

/** What the sync's rules make of a row. */
export function ruledRow(
  { rules }: Pick<ReadContext, 'rules'>,
  row: SourceRow,
  { account }: DeliveryStream,
): RuledRow {
  return isTrade(row) ? plainTrade(row) : rules(row, account);
}

/** The MAC that the ledger has of the row once it is sent in this generation of the stream. */
export function contentMacOf(
  { macs, places }: Pick<ReadContext, 'macs' | 'places'>,
  { account }: DeliveryStream,
  row: RuledRow,
  generation: number,
): string {
  const place = row.kind === 'trade' ? [] : places.of(account, row.transaction);
  return macs.content(row, { place, fields: places.fields, generation });
}

/** A row as a change. */
export function changeOf(
  context: Pick<ReadContext, 'macs' | 'places'>,
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

/** A row that is no more. */
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
  { writer, rowForm }: Pick<RunContext, 'rowForm'> & { readonly writer: Pick<DestinationWriter, 'encode'> },
  { content, ...change }: RowChange,
): Change {
  if (content === null) return { ...change, text: null };
  const { account, row } = content;
  if (row.kind === 'holding') throw new TypeError('positions are written whole and not one by one');
  if (row.kind === 'trade') {
    return { ...change, text: writer.encode({ kind: 'trade', account, trade: row.trade }, rowForm) };
  }
  const { transaction, customCategory, memo, tags } = row;
  const { replaces } = change;
  const shown = { kind: 'transaction', account, transaction, customCategory, memo, tags, replaces } as const;
  return { ...change, text: writer.encode(shown, rowForm) };
}

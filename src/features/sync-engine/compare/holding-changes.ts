import { matchesContent } from '../../../storage/ledger-records.ts';
import type { LedgerWrite } from '../../../storage/ledger-writes.ts';
import type { Holding } from '../../../vocabulary/holdings.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { SourceAccount } from '../read/sync-source.ts';
import type { ReadContext } from '../run/run-context.ts';

export interface HoldingChange {
  readonly write: LedgerWrite;
  readonly counted: 'added' | 'updated';
  /** Whether the ledger has it as standing there. */
  readonly stood: boolean;
  /** null: the account does not hold the position any more. */
  readonly holding: Holding | null;
}

/** What the account holds now, each position once; those that cannot be read go to `setAside`. Raises what the source raises. */
export async function readHoldings(
  source: Pick<SourceAccount, 'holdings'>,
  signal: AbortSignal,
  setAside?: SetAside,
): Promise<readonly Holding[]> {
  const read = await source.holdings(signal, setAside);
  return [...new Map(read.map((holding) => [holding.id, holding])).values()];
}

/** What differs from the ledger: a position counts as added once, and as updated when it changes or disappears. */
export async function holdingChanges(
  { ledger, macs }: Pick<ReadContext, 'ledger' | 'macs'>,
  stream: number,
  holdings: readonly Holding[],
): Promise<readonly HoldingChange[]> {
  const ids = holdings.map(({ id }) => id);
  const known = await ledger.entries(stream, ids);
  const held = new Set(ids);
  const changes: HoldingChange[] = [];
  for (const holding of holdings) {
    const entry = known.get(holding.id);
    const contentMac = macs.holding(holding);
    if (entry?.retired === false && matchesContent(entry, contentMac)) continue;
    const write = standing(stream, holding.id, { contentMac, fresh: entry === undefined, retired: false });
    const counted = entry === undefined ? 'added' : 'updated';
    changes.push({ write, counted, stood: entry?.retired === false, holding });
  }
  for (const { source_id: id } of await ledger.provisional(stream)) {
    if (held.has(id)) continue;
    const write = standing(stream, id, { contentMac: '', fresh: false, retired: true });
    changes.push({ write, counted: 'updated', stood: true, holding: null });
  }
  return changes;
}

/** A position stands as long as the provider reports it, as a pending row does. */
function standing(
  stream: number,
  sourceId: string,
  more: Pick<LedgerWrite, 'contentMac' | 'fresh' | 'retired'>,
): LedgerWrite {
  return {
    stream,
    sourceId,
    ...more,
    pairMac: null,
    provisional: true,
    matchMac: null,
    day: null,
    remoteRef: null,
  };
}

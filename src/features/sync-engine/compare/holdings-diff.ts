import type { HoldingsSnapshot } from '../../../connectors/destinations/delivery-rows.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import { matchesContent } from '../../../storage/ledger-records.ts';
import type { Holding } from '../../../vocabulary/holdings.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import { RowsAside } from '../deliver/rejected-rows.ts';
import type { SourceAccount } from '../read/sync-source.ts';
import type { ReadContext } from '../run/run-context.ts';
import { type ReadCounts, type RowChange, removalOf } from './row-changes.ts';
import type { DiffObserver } from './rows-diff.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * The current positions of an account, each once; those that cannot be read go to `setAside`. Raises what the source
 * raises.
 */
export async function readSnapshot(
  { clock, reading }: Pick<ReadContext, 'clock' | 'reading'>,
  source: Pick<SourceAccount, 'account' | 'holdings'>,
  setAside?: SetAside,
): Promise<HoldingsSnapshot> {
  const readAt = clock.now();
  const read = await source.holdings(reading, setAside);
  const holdings = [...new Map(read.map((holding) => [holding.id, holding])).values()];
  return { kind: 'holdings', account: source.account, readAt, holdings };
}

/**
 * Reads the positions of one account, and returns what differs from the ledger (AccountDiff): a position counts as
 * added once, and as updated when it changes or disappears. It stays as long as the provider reports it, as a pending
 * row does.
 */
export class HoldingsDiff {
  readonly #context: ReadContext;
  readonly #stream: DeliveryStream;
  readonly #source: SourceAccount;
  readonly #observer: Pick<DiffObserver, 'unchanged'> | null;
  readonly aside: RowsAside;
  readonly counts: ReadCounts = { processed: 0, skipped: 0 };
  readonly vanished = null;
  /** A position that cannot be read is not in the next snapshot, and so disappears from the destination. */
  readonly unreadable = NONE;
  /** All positions of the account, once it was read. */
  snapshot: HoldingsSnapshot | null = null;

  constructor(
    context: ReadContext,
    stream: DeliveryStream,
    source: SourceAccount,
    observer?: Pick<DiffObserver, 'unchanged'>,
  ) {
    this.#context = context;
    this.#stream = stream;
    this.#source = source;
    this.#observer = observer ?? null;
    this.aside = new RowsAside(stream.account, context);
  }

  /** Without those that cannot be read, like the snapshot. */
  get bankRows(): number {
    return this.snapshot?.holdings.length ?? 0;
  }

  async *changes(): AsyncGenerator<readonly RowChange[]> {
    const { ledger } = this.#context;
    const { id: stream } = this.#stream;
    const snapshot = await readSnapshot(this.#context, this.#source, this.aside.add);
    this.snapshot = snapshot;
    const { holdings } = snapshot;
    this.counts.processed = holdings.length + this.aside.count;
    const ids = holdings.map(({ id }) => id);
    const known = await ledger.entries(stream, ids);
    const shown = await ledger.provisional(stream);
    for (const holding of holdings) {
      const entry = known.get(holding.id);
      const change = this.#change(holding, snapshot, {
        change: entry?.retired === false ? 'updated' : 'new',
        fresh: entry === undefined,
        // One that was gone and is back was already counted as added.
        countsAs: entry === undefined ? 'added' : 'updated',
      });
      if (entry?.retired === false && matchesContent(entry, change.contentMac))
        this.#observer?.unchanged(change);
      else yield [change];
    }
    const held = new Set(ids);
    yield shown.flatMap(({ source_id: id }) => (held.has(id) ? [] : [removalOf(this.#stream, id, null)]));
  }

  /** Positions that are gone are among the changes. */
  lacks(): boolean {
    return false;
  }

  #change(
    holding: Holding,
    snapshot: HoldingsSnapshot,
    more: Pick<RowChange, 'change' | 'fresh' | 'countsAs'>,
  ): RowChange {
    return {
      ...more,
      stream: this.#stream.id,
      account: this.#stream.account,
      id: holding.id,
      content: { account: snapshot.account, row: { kind: 'holding', holding, snapshot } },
      contentMac: this.#context.macs.holding(holding),
      pairMac: null,
      replaces: null,
      provisional: true,
      matchMac: null,
      day: null,
      remoteRef: null,
      hits: [],
    };
  }
}

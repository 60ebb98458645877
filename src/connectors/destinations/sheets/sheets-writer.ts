import type { DeliveryRow, Snapshot } from '../delivery-rows.ts';
import type { DestinationWriter, RunEnding, TargetReading } from '../destination-contract.ts';
import type { DestinationOpening } from '../destination-opening.ts';
import type { OutgoingChunk, WrittenChunk } from '../outgoing-chunk.ts';
import { ChunkWriter } from './chunk-writer.ts';
import type { GoogleApi } from './google-api.ts';
import { sheetsReading } from './reading.ts';
import { RowText } from './row-text.ts';
import type { SheetTarget } from './sheet-target.ts';
import { SnapshotWriter } from './snapshot-writer.ts';

/** Writes one run into one spreadsheet. Nothing is asked of Google before there is something to write. */
export class SheetsWriter implements DestinationWriter {
  readonly #chunks: ChunkWriter;
  readonly #snapshots: SnapshotWriter;
  readonly #text: RowText;
  readonly reading: TargetReading;

  constructor(
    api: GoogleApi,
    opening: Pick<DestinationOpening, 'sync' | 'accountsWithRows'>,
    target: SheetTarget,
  ) {
    const { sync } = opening;
    this.#chunks = new ChunkWriter(api, opening, target);
    this.#snapshots = new SnapshotWriter(api, sync, target);
    this.#text = new RowText(sync);
    this.reading = sheetsReading(api, sync, target);
  }

  encode(row: DeliveryRow): string {
    return this.#text.encoded(row);
  }

  write(chunk: OutgoingChunk, signal: AbortSignal): Promise<WrittenChunk> {
    return this.#chunks.write(chunk, signal);
  }

  async writeSnapshot(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    if (snapshot.kind === 'balance') this.#snapshots.addBalance(snapshot);
    else await this.#snapshots.writeHoldings(snapshot, signal);
  }

  /** Looks first: what comes after it may fail, and the next attempt does not know what stood there before. */
  async finish({ accounts }: RunEnding, signal: AbortSignal): Promise<void> {
    await this.#chunks.verify(signal);
    await this.#snapshots.finish(accounts, signal);
  }

  async close(): Promise<void> {}
}

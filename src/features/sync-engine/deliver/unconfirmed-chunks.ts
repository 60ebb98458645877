import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import type { LedgerEntry } from '../../../storage/delivery-ledger.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { IntendedRow } from '../../../storage/intended-rows.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import { changeOf, type RowChange, removalOf, ruledRow } from '../compare/row-changes.ts';
import { readAhead, rowPages, usualWindow, wholeWindow } from '../read/reading-plan.ts';
import type { RuledRow } from '../read/source-row.ts';
import type { SourceAccount, SourceWindow, SyncSource } from '../read/sync-source.ts';
import type { ReadContext } from '../run/run-context.ts';

/** Rows by stream that must not be sent in another chunk, because the chunk they are in is still unconfirmed. */
export type HeldRows = ReadonlyMap<number, ReadonlySet<string>>;

/** Adds the rows of an unconfirmed chunk, and those they replace. */
export function holdRows(held: Map<number, Set<string>>, rows: readonly IntendedRow[]): void {
  for (const { stream, sourceId, replaces } of rows) {
    const ids = held.get(stream) ?? new Set();
    held.set(stream, ids.add(sourceId));
    if (replaces !== null) ids.add(replaces);
  }
}

/**
 * How long an unconfirmed chunk waits for an account that cannot be read. Afterwards it is sent without that account's
 * rows, so that one lost bank does not hold back the rows of others forever.
 */
const PATIENCE_MS = 24 * 3_600_000;

/** The changes of an unconfirmed chunk, rebuilt from what the source has now. */
export interface RebuiltChunk {
  /** To be sent. */
  readonly changes: readonly RowChange[];
  /** Rows that are gone or that a rule now skips: it is unknown whether the destination has them. */
  readonly lost: readonly RowChange[];
}

/** Rebuilds unconfirmed chunks. Reads the source and the ledger, and changes nothing. */
export class UnconfirmedChunks {
  readonly #context: ReadContext;
  readonly #source: SyncSource;
  readonly #streams: ReadonlyMap<number, DeliveryStream>;
  readonly #sources = new Map<number, SourceAccount>();

  constructor(context: ReadContext, source: SyncSource, streams: readonly DeliveryStream[]) {
    this.#context = context;
    this.#source = source;
    this.#streams = new Map(streams.map((stream) => [stream.id, stream]));
  }

  /** Null if the chunk has to wait for an account that cannot be read. */
  async rebuild(chunk: DeliveryChunk): Promise<RebuiltChunk | null> {
    const found = await this.#find(chunk);
    if (found === null) return null;
    const changes: RowChange[] = [];
    const lost: RowChange[] = [];
    const entries = await this.#entries(chunk);
    for (const row of chunk.rows) {
      const stream = this.#streams.get(row.stream);
      if (stream === undefined) continue;
      const change = this.#rebuilt(row, stream, {
        found: found.get(`${row.stream} ${row.sourceId}`),
        entry: entries.get(`${row.stream} ${row.replaces ?? row.sourceId}`),
      });
      if (change.content !== null || change.change === 'removed') {
        changes.push(change);
        continue;
      }
      lost.push({ ...change, replaces: null, remoteRef: null });
      // The row that the lost one should have replaced is gone too, and the destination may still show it.
      if (change.replaces !== null) changes.push(removalOf(stream, change.replaces, change.remoteRef));
    }
    return { changes, lost };
  }

  /** The chunk's rows as the source has them now, by stream and id; null if the chunk has to wait for an account. */
  async #find(chunk: DeliveryChunk): Promise<ReadonlyMap<string, RuledRow> | null> {
    const found = new Map<string, RuledRow>();
    const wanted = new Map<number, Set<string>>();
    for (const { stream, sourceId, change } of chunk.rows) {
      if (change === 'removed' || this.#streams.get(stream)?.present !== true) continue;
      wanted.set(stream, (wanted.get(stream) ?? new Set()).add(sourceId));
    }
    for (const [id, ids] of wanted) {
      const stream = this.#streams.get(id);
      if (stream === undefined) continue;
      try {
        await this.#findInAccount(stream, ids, found);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (chunk.created.getTime() > this.#context.clock.now() - PATIENCE_MS) return null;
      }
    }
    return found;
  }

  /** Reads until every wanted row is found or the window ends. */
  async #findInAccount(
    stream: DeliveryStream,
    wanted: Set<string>,
    found: Map<string, RuledRow>,
  ): Promise<void> {
    const { sync, reading } = this.#context;
    const source =
      this.#sources.get(stream.id) ?? (await this.#source.open(sync.account_record, stream.account));
    this.#sources.set(stream.id, source);
    let unread = false;
    const setAside: SetAside = ({ id }) => {
      unread ||= id !== null && wanted.has(id);
    };
    for (const days of this.#windows(stream, source)) {
      const window = { ...days, setAside };
      for await (const page of readAhead((signal) => rowPages(source, sync.type, window, signal), reading)) {
        for (const read of page) {
          if (!wanted.delete(read.id)) continue;
          const row = ruledRow(this.#context, read, stream);
          if (!row.skipped) found.set(`${stream.id} ${read.id}`, row);
        }
        if (wanted.size === 0) return;
      }
    }
    // It exists, but its current content is unknown.
    if (unread) throw new ServiceError('upstream_failed');
  }

  /** Nearly every unconfirmed row is from the usual days; one that a sweep found may be as old as the sync. */
  #windows({ cursor }: DeliveryStream, source: SourceAccount): readonly SourceWindow[] {
    const { clock, limits, sync } = this.#context;
    const input = { now: clock.now(), limits, source, options: sync.options };
    return cursor === null ? [wholeWindow(input)] : [usualWindow(input, cursor), wholeWindow(input)];
  }

  /** The ledger entries of the chunk's rows, or of those they replace, by stream and source id. */
  async #entries(chunk: DeliveryChunk): Promise<ReadonlyMap<string, LedgerEntry>> {
    const known = chunk.rows.filter((row) => this.#streams.has(row.stream));
    const entries = new Map<string, LedgerEntry>();
    for (const [stream, rows] of Map.groupBy(known, (row) => row.stream)) {
      const ids = rows.map((row) => row.replaces ?? row.sourceId);
      for (const [id, entry] of await this.#context.ledger.entries(stream, ids)) {
        entries.set(`${stream} ${id}`, entry);
      }
    }
    return entries;
  }

  #rebuilt(
    row: IntendedRow,
    stream: DeliveryStream,
    { found, entry }: { readonly found: RuledRow | undefined; readonly entry: LedgerEntry | undefined },
  ): RowChange {
    const { sourceId: id, change: kind, contentMac, replaces, provisional, pairMac, day } = row;
    const source = this.#sources.get(stream.id);
    const remoteRef = entry?.remote_ref ?? null;
    if (kind !== 'removed' && found !== undefined && source !== undefined) {
      // A row that was removed and is back is sent as a new one, and was already counted as added.
      const countsAs = kind === 'new' && entry === undefined ? 'added' : 'updated';
      const change = changeOf(this.#context, stream, source, found, {
        change: kind,
        countsAs,
        replaces,
        remoteRef,
      });
      // If the row has changed since, it is unknown which content arrived: it is sent again, as an update.
      return change.contentMac === contentMac ? change : { ...change, contentMac: '' };
    }
    return {
      stream: stream.id,
      account: stream.account,
      id,
      change: kind,
      fresh: false,
      countsAs: kind === 'removed' ? 'updated' : null,
      content: null,
      contentMac: '',
      // So that it is found again under another id, or noticed as missing.
      pairMac,
      replaces,
      provisional,
      matchMac: null,
      day,
      remoteRef,
      hits: [],
    };
  }
}

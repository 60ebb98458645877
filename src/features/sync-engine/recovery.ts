import type { DestinationWriter } from '../../connectors/destinations/destination-contract.ts';
import type { StandingRow, WrittenChunk } from '../../connectors/destinations/outgoing-chunk.ts';
import { chunksInDoubt, type DeliveryChunk, rewriteIntent } from '../../storage/delivery-chunks.ts';
import { type LedgerEntry, ledgerEntries } from '../../storage/delivery-ledger.ts';
import { recordProgress } from '../../storage/delivery-progress.ts';
import type { DeliveryStream } from '../../storage/delivery-streams.ts';
import type { IntendedRow } from '../../storage/intended-rows.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { changeOf, removalOf, ruledRow } from './account-diff.ts';
import type { Change, ReadCounts } from './change.ts';
import { outgoingChunk } from './chunk-in-flight.ts';
import { deliveredChunk } from './delivered-chunk.ts';
import { readAhead } from './read-ahead.ts';
import { usualWindow, wholeWindow } from './reading-plan.ts';
import type { RuledRow } from './row-rules.ts';
import { LeaseLost, type RunContext } from './run-context.ts';
import { rowPages } from './source-row.ts';
import { NOTHING_STANDS, withStanding } from './standing-rows.ts';
import type { SourceAccount, SourceWindow, SyncSource } from './sync-source.ts';

/**
 * How long a chunk in doubt waits for an account that cannot be read. Afterwards it goes without that account's rows,
 * so that one lost bank does not hold back the rows of others forever.
 */
const PATIENCE_MS = 24 * 3_600_000;

/** Rows by stream that must not travel in another chunk, because the chunk they are in is still in doubt. */
export type HeldRows = ReadonlyMap<number, ReadonlySet<string>>;

/**
 * Resolves what an earlier worker left in doubt, before anything new is sent: the same rows, read again from the
 * source, under the same event id and in the form they were sent in, whichever version began the chunk. A receiver that
 * keeps event ids sees each row once, whether or not it had the first copy.
 *
 * A row that is gone from the source, or that a rule skips by now, is left out. Nobody knows whether the destination
 * has it, so the ledger gets an empty MAC: should the row come back, it is sent as an update and not as new.
 */
export class Recovery {
  readonly #context: RunContext;
  readonly #source: SyncSource;
  readonly #streams: ReadonlyMap<number, DeliveryStream>;
  readonly #sources = new Map<number, SourceAccount>();
  delivered = 0;

  constructor(context: RunContext, source: SyncSource, streams: readonly DeliveryStream[]) {
    this.#context = context;
    this.#source = source;
    this.#streams = new Map(streams.map((stream) => [stream.id, stream]));
  }

  async resolve(read: ReadCounts): Promise<HeldRows> {
    const { db, run, sync } = this.#context;
    const held = new Map<number, Set<string>>();
    for (const chunk of await chunksInDoubt(db, run.account_record, sync.id)) {
      const found = await this.#find(chunk);
      if (found === null) hold(held, chunk.rows);
      else await this.#resend(chunk, found, read);
    }
    return held;
  }

  /** The chunk's rows as the source has them now, by stream and id; null when the chunk has to wait for an account. */
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
    const { run, sync, reading } = this.#context;
    const source =
      this.#sources.get(stream.id) ?? (await this.#source.open(run.account_record, stream.account));
    this.#sources.set(stream.id, source);
    for (const window of this.#windows(stream, source)) {
      for await (const page of readAhead((signal) => rowPages(source, sync.type, window, signal), reading)) {
        for (const read of page) {
          if (!wanted.delete(read.id)) continue;
          const row = ruledRow(this.#context, read, stream);
          if (!row.skipped) found.set(`${stream.id} ${read.id}`, row);
        }
        if (wanted.size === 0) return;
      }
    }
  }

  /** Nearly every row in doubt lies in the usual days; one that a sweep found may be as old as the sync. */
  #windows({ cursor }: DeliveryStream, source: SourceAccount): readonly SourceWindow[] {
    const { clock, limits, sync } = this.#context;
    const input = { now: clock.now(), limits, source, options: sync.options };
    return cursor === null ? [wholeWindow(input)] : [usualWindow(input, cursor), wholeWindow(input)];
  }

  async #resend(chunk: DeliveryChunk, found: ReadonlyMap<string, RuledRow>, read: ReadCounts): Promise<void> {
    const changes: Change[] = [];
    const lost: Change[] = [];
    const entries = await this.#entries(chunk);
    for (const row of chunk.rows) {
      const stream = this.#streams.get(row.stream);
      if (stream === undefined) continue;
      const change = this.#rebuilt(chunk, row, stream, {
        found: found.get(`${row.stream} ${row.sourceId}`),
        entry: entries.get(`${row.stream} ${row.replaces ?? row.sourceId}`),
      });
      if (change.text !== null || change.change === 'removed') {
        changes.push(change);
        continue;
      }
      lost.push({ ...change, replaces: null, remoteRef: null });
      // What the lost row was to take the place of is no more either, and the destination may still show it.
      if (change.replaces !== null) changes.push(removalOf(stream, change.replaces, change.remoteRef));
    }
    const { db, clock, lease } = this.#context;
    await this.#noteDifferences(chunk, [...changes, ...lost]);
    const written = await this.#write(chunk, changes);
    const all = [...changes, ...lost];
    const delivered = deliveredChunk(chunk.event_id, all, written, read, new Date(clock.now()));
    if (!(await recordProgress(db, lease, delivered, null))) throw new LeaseLost();
    this.delivered += 1;
  }

  /**
   * From now on two copies of the event may be under way that say different things, and only the first to arrive counts:
   * written down before the second is sent, because the next worker may build the first one again.
   */
  async #noteDifferences(chunk: DeliveryChunk, changes: readonly Change[]): Promise<void> {
    const unsure = new Set(
      changes.filter((change) => change.contentMac === '').map(({ stream, id }) => `${stream} ${id}`),
    );
    const isNews = ({ stream, sourceId, contentMac }: IntendedRow): boolean =>
      contentMac !== '' && unsure.has(`${stream} ${sourceId}`);
    if (!chunk.rows.some(isNews)) return;
    const rows = chunk.rows.map((row) => (isNews(row) ? { ...row, contentMac: '' } : row));
    const { db, lease } = this.#context;
    if (!(await rewriteIntent(db, lease, { ...chunk, rows }))) throw new LeaseLost();
  }

  /** What the ledger has of the chunk's rows, or of those they replace, by stream and source id. */
  async #entries(chunk: DeliveryChunk): Promise<ReadonlyMap<string, LedgerEntry>> {
    const known = chunk.rows.filter((row) => this.#streams.has(row.stream));
    const entries = new Map<string, LedgerEntry>();
    for (const [stream, rows] of Map.groupBy(known, (row) => row.stream)) {
      const ids = rows.map((row) => row.replaces ?? row.sourceId);
      for (const [id, entry] of await ledgerEntries(this.#context.db, stream, ids)) {
        entries.set(`${stream} ${id}`, entry);
      }
    }
    return entries;
  }

  #rebuilt(
    { rowForm }: DeliveryChunk,
    row: IntendedRow,
    stream: DeliveryStream,
    { found, entry }: { readonly found: RuledRow | undefined; readonly entry: LedgerEntry | undefined },
  ): Change {
    const { sourceId: id, change: kind, contentMac, replaces, provisional } = row;
    const source = this.#sources.get(stream.id);
    const remoteRef = kind === 'new' ? null : (entry?.remote_ref ?? null);
    if (kind !== 'removed' && found !== undefined && source !== undefined) {
      // A row that was removed and is back goes as a new one, and was counted as added before.
      const countsAs = kind === 'new' && entry === undefined ? 'added' : 'updated';
      const context = { ...this.#context, rowForm };
      const change = changeOf(context, stream, source, found, {
        change: kind,
        countsAs,
        replaces,
        remoteRef,
      });
      // If the row has changed since, nobody knows which content arrived: it travels once more, as an update.
      return change.contentMac === contentMac ? change : { ...change, contentMac: '' };
    }
    return {
      stream: stream.id,
      account: stream.account,
      id,
      change: kind,
      fresh: false,
      countsAs: kind === 'removed' ? 'updated' : null,
      text: null,
      contentMac: '',
      replaces,
      provisional,
      matchMac: null,
      day: null,
      remoteRef,
      hits: [],
    };
  }

  async #write(chunk: DeliveryChunk, changes: readonly Change[]): Promise<WrittenChunk> {
    const { connector, writer, halted, confirmLease } = this.#context;
    const standing =
      connector.afterUnknown === 'look_up' ? await this.#lookUp(writer, chunk, changes) : NOTHING_STANDS;
    const { refs, stood, unsent } = withStanding(changes, standing);
    if (unsent.length === 0) return { rejected: [], remoteRefs: refs, stood };
    const outgoing = outgoingChunk(unsent, {
      eventId: chunk.event_id,
      run: chunk.run,
      number: chunk.chunk,
      total: chunk.total_chunks,
      rowForm: chunk.rowForm,
      created: chunk.created.getTime(),
      again: true,
    });
    await confirmLease();
    const written = await writer.write(outgoing, halted);
    return {
      rejected: written.rejected,
      remoteRefs: new Map([...refs, ...written.remoteRefs]),
      stood: new Map([...stood, ...written.stood]),
    };
  }

  /** New rows of the chunk that stand at the destination. */
  async #lookUp(
    writer: DestinationWriter,
    { created }: DeliveryChunk,
    changes: readonly Change[],
  ): Promise<ReadonlyMap<string, StandingRow>> {
    if (writer.lookUp === undefined) throw new TypeError('a destination that looks up must be able to');
    const ids = changes.filter((change) => change.change === 'new').map((change) => change.id);
    return writer.lookUp(ids, created.getTime(), this.#context.halted);
  }
}

function hold(held: Map<number, Set<string>>, rows: readonly IntendedRow[]): void {
  for (const { stream, sourceId, replaces } of rows) {
    const ids = held.get(stream) ?? new Set();
    held.set(stream, ids.add(sourceId));
    if (replaces !== null) ids.add(replaces);
  }
}

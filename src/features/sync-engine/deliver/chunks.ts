import type {
  ChunkAttempt,
  ChunkRow,
  OutgoingChunk,
  WrittenChunk,
} from '../../../connectors/destinations/delivery-rows.ts';
import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import type { DeliveryChunk } from '../../../storage/delivery-chunks.ts';
import { type ChunkCounts, type DeliveredChunk, recordProgress } from '../../../storage/delivery-progress.ts';
import type { LedgerWrite } from '../../../storage/ledger-writes.ts';
import { isLogFailure, type LoggedDelivery } from '../../../storage/webhook-deliveries.ts';
import type { RowId } from '../../../vocabulary/ids.ts';
import type { Change, ReadCounts } from '../compare/row-changes.ts';
import { HitCounts } from '../read/source-row.ts';
import type { SyncMetrics } from '../run/run-context.ts';
import { LeaseLost, type RunContext } from '../run/run-context.ts';
import { inDeliverySpan } from './connector-calls.ts';
import type { DeliveryLog } from './delivery-log.ts';

/** Changes in the form that is passed to the destination. */
export function outgoingChunk(
  changes: readonly Change[],
  head: Pick<OutgoingChunk, 'eventId' | 'run' | 'number' | 'total' | 'rowForm' | 'created' | 'again'>,
): OutgoingChunk {
  const rows = (kind: Change['change']): ChunkRow[] => changes.filter((change) => change.change === kind);
  return { ...head, added: rows('new'), updated: rows('updated'), removed: rows('removed') };
}

/**
 * Packs changes into chunks. A full chunk is released when the next change arrives, not earlier: so the sender knows
 * that it is not the last. Rows of two accounts may have the same id and are never in the same chunk, so that an id
 * identifies one row of its chunk.
 */
export class ChunkPacker {
  readonly #maxRows: number;
  readonly #maxBytes: number;
  #changes: Change[] = [];
  #bytes = 0;
  /** Ids in the chunk, with those of rows that are replaced, and the stream of each. */
  #streams = new Map<string, number>();

  constructor(limits: { chunkRows: number; chunkBytes: number }) {
    this.#maxRows = limits.chunkRows;
    this.#maxBytes = limits.chunkBytes;
  }

  /** Adds a change. Returns the previous chunk if the change no longer fits into it. */
  add(change: Change): readonly Change[] | null {
    const bytes = change.text === null ? change.id.length : Buffer.byteLength(change.text);
    const full =
      this.#changes.length >= this.#maxRows ||
      (this.#changes.length > 0 && this.#bytes + bytes > this.#maxBytes) ||
      this.#isTaken(change);
    const chunk = full ? this.#changes : null;
    if (full) {
      this.#changes = [];
      this.#bytes = 0;
      this.#streams.clear();
    }
    this.#changes.push(change);
    this.#streams.set(change.id, change.stream);
    if (change.replaces !== null) this.#streams.set(change.replaces, change.stream);
    this.#bytes += bytes + 1;
    return chunk;
  }

  /** What is left: the last chunk, or null if there was no change at all. */
  finish(): readonly Change[] | null {
    const last = this.#changes;
    this.#changes = [];
    this.#streams.clear();
    return last.length === 0 ? null : last;
  }

  /** Whether the chunk has a row of another account under one of the change's ids. */
  #isTaken({ stream, id, replaces }: Change): boolean {
    const isOfAnother = (one: string): boolean => (this.#streams.get(one) ?? stream) !== stream;
    return isOfAnother(id) || (replaces !== null && isOfAnother(replaces));
  }
}

/** What a destination answered to a chunk. */
export interface ChunkAnswer {
  readonly written: WrittenChunk;
  /** What is left to log of it. */
  readonly entry: LoggedDelivery | null;
}

/**
 * The one call that writes a chunk. The attempts are logged if it fails, and raises what writing raises once they are;
 * after a success the caller logs them.
 */
export async function writeChunk(
  {
    writer,
    deliveryLog,
    metrics,
    connector,
  }: {
    readonly writer: DestinationWriter;
    readonly deliveryLog: DeliveryLog | null;
    readonly metrics: SyncMetrics;
    readonly connector: Pick<DestinationConnector, 'type'>;
  },
  chunk: OutgoingChunk,
  changes: readonly Pick<Change, 'account' | 'id' | 'change' | 'day' | 'replaces'>[],
  signal: AbortSignal,
): Promise<ChunkAnswer> {
  const write = async (outgoing: OutgoingChunk): Promise<WrittenChunk> => {
    let outcome = 'failed';
    try {
      const written = await inDeliverySpan(connector, changes.length, () => writer.write(outgoing, signal));
      outcome = 'succeeded';
      return written;
    } finally {
      metrics.delivery(connector.type, outcome);
    }
  };
  if (deliveryLog === null) return { written: await write(chunk), entry: null };
  const attempts: ChunkAttempt[] = [];
  const attempted = (attempt: ChunkAttempt): void => void attempts.push(attempt);
  try {
    const written = await write({ ...chunk, attempted });
    return { written, entry: deliveryLog.entry(chunk, changes, attempts, 'succeeded') };
  } catch (error) {
    await deliveryLog.note(deliveryLog.entry(chunk, changes, attempts, 'failed'));
    throw error;
  }
}

type DeliveredChange = Omit<Change, 'text'>;

/**
 * What to record about a chunk that the destination accepted: the state of its rows, and the counts. `showsExisting`:
 * whether the answer names every row that was already there (WrittenChunk.existed).
 */
export function deliveredChunk(
  eventId: string,
  changes: readonly DeliveredChange[],
  written: WrittenChunk,
  read: ReadCounts,
  at: Date,
  showsExisting = false,
): DeliveredChunk {
  const rejected = new Set(written.rejected);
  const lines = new Map<RowId<'account'>, LineCounts>();
  const ledger: LedgerWrite[] = [];
  const replaced = new Map<string, LedgerWrite>();
  const hits = new HitCounts();
  for (const change of changes) {
    const line = lineOf(lines, change.account);
    if (rejected.has(change.id)) {
      line.rejected += 1;
      continue;
    }
    const counted = countedAs(change, written, showsExisting);
    if (counted !== null) line[counted] += 1;
    hits.add(change.hits);
    ledger.push(ledgerWrite(change, written));
    if (change.replaces !== null) {
      const gone = retirement(change.stream, change.replaces);
      replaced.set(keyOf(gone), gone);
    }
  }
  return {
    eventId,
    ledger: withReplaced(ledger, replaced),
    lines: [...lines.values()],
    read,
    hits: { at, counts: hits.counts },
  };
}

/**
 * The ledger needs distinct source ids. A row that was replaced in the same chunk in which it changed is recorded as
 * gone, so that it is delivered again if it still exists: it may be a different row from the one that replaced it.
 */
function withReplaced(
  ledger: readonly LedgerWrite[],
  replaced: ReadonlyMap<string, LedgerWrite>,
): readonly LedgerWrite[] {
  if (replaced.size === 0) return ledger;
  return [...ledger.filter((write) => !replaced.has(keyOf(write))), ...replaced.values()];
}

const keyOf = ({ stream, sourceId }: LedgerWrite): string => `${stream} ${sourceId}`;

/**
 * A new row that was already there does not count as added: it counts as updated if it was, and else not at all. One
 * that was delivered before counts as added if the destination reports that it was gone, and else as sent again.
 */
function countedAs(
  { change, id, countsAs }: DeliveredChange,
  { existed }: WrittenChunk,
  showsExisting: boolean,
): 'added' | 'updated' | null {
  const as = change === 'new' ? existed.get(id) : undefined;
  if (as !== undefined) return as === 'updated' ? 'updated' : null;
  return countsAs === 'redelivered' ? (showsExisting ? 'added' : 'updated') : countsAs;
}

type LineCounts = { account: RowId<'account'> } & { -readonly [Count in keyof ChunkCounts]: number };

function lineOf(lines: Map<RowId<'account'>, LineCounts>, account: RowId<'account'>): LineCounts {
  const known = lines.get(account);
  if (known !== undefined) return known;
  const line = { account, added: 0, updated: 0, rejected: 0 };
  lines.set(account, line);
  return line;
}

function ledgerWrite(change: DeliveredChange, written: WrittenChunk): LedgerWrite {
  if (change.change === 'removed') return retirement(change.stream, change.id);
  return {
    fresh: change.fresh,
    stream: change.stream,
    sourceId: change.id,
    contentMac: change.contentMac,
    pairMac: change.pairMac,
    retired: false,
    provisional: change.provisional,
    matchMac: change.matchMac,
    day: change.day,
    remoteRef: written.remoteRefs.get(change.id) ?? change.remoteRef,
  };
}

function retirement(stream: number, sourceId: string): LedgerWrite {
  return {
    fresh: false,
    stream,
    sourceId,
    contentMac: '',
    pairMac: null,
    retired: true,
    provisional: true,
    matchMac: null,
    day: null,
    remoteRef: null,
  };
}

/**
 * As `recordProgress`, and counts the rows for the operator. If its log cannot be written, a chunk is recorded without.
 * Raises LeaseLost, and what storage raises.
 */
export async function recordedProgress(
  { db, lease, metrics, deliveryLog }: Pick<RunContext, 'db' | 'lease' | 'metrics' | 'deliveryLog'>,
  delivered: DeliveredChunk | null,
  intended: DeliveryChunk | null,
): Promise<void> {
  const log = delivered?.log ?? null;
  const recorded = recordProgress(db, lease, delivered, intended).catch((error: unknown) => {
    if (delivered === null || log === null || !isLogFailure(error)) throw error;
    deliveryLog?.warn(log, error);
    return recordProgress(db, lease, { ...delivered, log: null }, intended);
  });
  if (!(await recorded)) throw new LeaseLost();
  for (const outcome of ['added', 'updated', 'rejected'] as const) {
    const count = delivered?.lines.reduce((sum, line) => sum + line[outcome], 0) ?? 0;
    if (count > 0) metrics.syncRows(outcome, count);
  }
}

import {
  type ChunkRow,
  DestinationFailure,
  type OutgoingChunk,
  type WrittenChunk,
} from '../../connectors/destinations/destination-contract.ts';
import { deleteChunk, insertChunk } from '../../storage/delivery-chunks.ts';
import { type LedgerWrite, writeLedger } from '../../storage/delivery-ledger.ts';
import { addToRun, beginChunk, holdRun } from '../../storage/run-leases.ts';
import { addToLines } from '../../storage/sync-runs.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Change, ChangesUnderWay, ReadCounts } from './change.ts';
import { eventIdOf } from './event-id.ts';
import { LeaseLost, type RunContext } from './run-context.ts';

/**
 * Delivers chunks one after the other, each while the next is being read. The intent of a chunk is recorded before it
 * is sent and removed with its success, so whoever comes after a death knows which rows are in doubt.
 */
export class Delivery {
  readonly #context: RunContext;
  readonly #underWay: ChangesUnderWay;
  readonly #read: ReadCounts;
  #chunk: number;
  #current: Promise<void> = Promise.resolve();
  /** Chunks delivered, and rows the destination took and refused in them. */
  delivered = 0;
  accepted = 0;
  rejected = 0;

  constructor(context: RunContext, underWay: ChangesUnderWay, read: ReadCounts) {
    this.#context = context;
    this.#underWay = underWay;
    this.#read = read;
    this.#chunk = context.run.chunks;
  }

  /** Begins to deliver the chunk once the one before is done. Raises what became of that one. */
  async push(changes: readonly Change[], last: boolean): Promise<void> {
    await this.#current;
    this.#current = this.#deliver(changes, last);
    this.#current.catch(() => undefined);
  }

  /** Waits for the chunk under way. */
  async drain(): Promise<void> {
    await this.#current;
  }

  async #deliver(changes: readonly Change[], last: boolean): Promise<void> {
    const { clock, run, writer, halted } = this.#context;
    this.#chunk += 1;
    const ids = changes.map((change) => change.id);
    const chunk = outgoingChunk(changes, {
      eventId: eventIdOf(this.#context.macKey, run.id, this.#chunk, ids),
      run: run.id,
      number: this.#chunk,
      total: last ? this.#chunk : null,
      created: clock.now(),
    });
    await this.#intend(chunk, changes);
    const written = await this.#write(chunk, () => writer.write(chunk, halted));
    await commitChunk(this.#context, chunk.eventId, changes, written, this.#read);
    this.#underWay.delete(changes);
    this.delivered += 1;
    this.accepted += changes.length - written.rejected.length;
    this.rejected += written.rejected.length;
  }

  async #intend(chunk: OutgoingChunk, changes: readonly Change[]): Promise<void> {
    const { db, lease, sync } = this.#context;
    await db.transaction().execute(async (trx) => {
      if (!(await beginChunk(trx, lease, chunk.number))) throw new LeaseLost();
      await insertChunk(trx, {
        event_id: chunk.eventId,
        sync: sync.id,
        run: chunk.run,
        chunk: chunk.number,
        total_chunks: chunk.total,
        created: new Date(chunk.created),
        rows: changes.map((row) => [
          row.stream,
          row.id,
          row.change,
          row.contentMac,
          row.replaces,
          row.provisional,
        ]),
      });
    });
  }

  /** A chunk that was certainly refused is in nobody's doubt: its rows are free to travel in another. */
  async #write(chunk: OutgoingChunk, write: () => Promise<WrittenChunk>): Promise<WrittenChunk> {
    try {
      return await write();
    } catch (error) {
      if (error instanceof DestinationFailure && error.outcome === 'refused') {
        await this.#context.db.transaction().execute(async (trx) => {
          if (!(await holdRun(trx, this.#context.lease))) throw new LeaseLost();
          await deleteChunk(trx, chunk.eventId);
        });
      }
      throw error;
    }
  }
}

/** Changes as the destination is given them. */
export function outgoingChunk(
  changes: readonly Change[],
  head: Pick<OutgoingChunk, 'eventId' | 'run' | 'number' | 'total' | 'created'>,
): OutgoingChunk {
  const rows = (kind: Change['change']): ChunkRow[] => changes.filter((change) => change.change === kind);
  return { ...head, added: rows('new'), updated: rows('updated'), removed: rows('removed') };
}

/**
 * Records that a chunk was delivered: ledger, counts and the end of the intent, in one transaction, if the lease
 * stands. Raises LeaseLost when it does not.
 */
export async function commitChunk(
  context: Pick<RunContext, 'db' | 'lease'>,
  eventId: string,
  changes: readonly Change[],
  written: WrittenChunk,
  read: ReadCounts,
): Promise<void> {
  const { db, lease } = context;
  const rejected = new Set(written.rejected);
  const lines = new Map<RowId<'account'>, LineCounts>();
  const ledger: LedgerWrite[] = [];
  for (const change of changes) {
    const line = lineOf(lines, change.account);
    if (rejected.has(change.id)) {
      line.rejected += 1;
      continue;
    }
    if (change.countsAs !== null) line[change.countsAs] += 1;
    ledger.push(standing(change, written));
    if (change.replaces !== null) ledger.push(retirement(change.stream, change.replaces));
  }
  const total = { added: 0, updated: 0, rejected: 0 };
  for (const line of lines.values()) {
    total.added += line.added;
    total.updated += line.updated;
    total.rejected += line.rejected;
  }
  await db.transaction().execute(async (trx) => {
    if (!(await addToRun(trx, lease, total, read))) throw new LeaseLost();
    await writeLedger(trx, ledger);
    await deleteChunk(trx, eventId);
    await addToLines(trx, lease.run, [...lines.values()]);
  });
}

interface LineCounts {
  readonly account: RowId<'account'>;
  added: number;
  updated: number;
  rejected: number;
}

function lineOf(lines: Map<RowId<'account'>, LineCounts>, account: RowId<'account'>): LineCounts {
  const line = lines.get(account) ?? { account, added: 0, updated: 0, rejected: 0 };
  lines.set(account, line);
  return line;
}

function standing(change: Change, written: WrittenChunk): LedgerWrite {
  if (change.change === 'removed') return retirement(change.stream, change.id);
  return {
    fresh: change.fresh,
    stream: change.stream,
    sourceId: change.id,
    contentMac: change.contentMac,
    retired: false,
    provisional: change.provisional,
    matchMac: change.matchMac,
    matchDay: change.matchDay,
    remoteRef: written.remoteRefs.get(change.id) ?? change.remoteRef,
  };
}

function retirement(stream: number, sourceId: string): LedgerWrite {
  return {
    fresh: false,
    stream,
    sourceId,
    contentMac: '',
    retired: true,
    provisional: true,
    matchMac: null,
    matchDay: null,
    remoteRef: null,
  };
}

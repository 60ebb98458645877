import type { ExistedAs, ExistingRow, WrittenChunk } from '../../../connectors/destinations/delivery-rows.ts';
import type { DestinationWriter } from '../../../connectors/destinations/destination-contract.ts';
import { chunksInDoubt, type DeliveryChunk, rewriteIntent } from '../../../storage/delivery-chunks.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { IntendedRow } from '../../../storage/intended-rows.ts';
import { type Change, encodedChange, type ReadCounts } from '../compare/row-changes.ts';
import type { SyncSource } from '../read/sync-source.ts';
import { LeaseLost, type RunContext } from '../run/run-context.ts';
import { deliveredChunk, outgoingChunk, recordedProgress, writeChunk } from './chunks.ts';
import type { RefusedRows } from './rejected-rows.ts';
import { type HeldRows, holdRows, type RebuiltChunk, UnconfirmedChunks } from './unconfirmed-chunks.ts';

const NOTHING_EXISTS: ReadonlyMap<string, ExistingRow> = new Map();

/**
 * What is left to send when some rows are already at the destination. A row that an earlier attempt of the chunk wrote
 * is not sent again; one that was there before may differ and is sent as an update.
 */
function withExisting(changes: readonly Change[], existing: ReadonlyMap<string, ExistingRow>) {
  const refs = new Map<string, string>();
  const existed = new Map<string, ExistedAs>();
  const unsent: Change[] = [];
  for (const change of changes) {
    const found = change.change === 'new' ? existing.get(change.id) : undefined;
    if (found === undefined) {
      unsent.push(change);
      continue;
    }
    const { remoteRef, older } = found;
    if (remoteRef !== null) refs.set(change.id, remoteRef);
    if (!older) continue;
    existed.set(change.id, 'updated');
    unsent.push({ ...change, change: 'updated', remoteRef });
  }
  return { refs, existed, unsent };
}

/**
 * Resolves what an earlier worker left unconfirmed, before anything new is sent: the same rows, read again from the
 * source, under the same event id and in the form they were sent in, whichever version started the chunk. A receiver
 * that remembers event ids processes each row once, whether or not it received the first copy.
 *
 * A row that is gone from the source, or that a rule now skips, is left out. Whether the destination has it is unknown,
 * so the ledger gets an empty MAC: if the row comes back, it is sent as an update and not as new.
 */
export class Recovery {
  readonly #context: RunContext;
  readonly #unconfirmed: UnconfirmedChunks;
  readonly #refused: Pick<RefusedRows, 'answered'>;
  delivered = 0;

  constructor(
    context: RunContext,
    source: SyncSource,
    streams: readonly DeliveryStream[],
    refused: Pick<RefusedRows, 'answered'>,
  ) {
    this.#context = context;
    this.#refused = refused;
    this.#unconfirmed = new UnconfirmedChunks(context, source, streams);
  }

  async resolve(read: ReadCounts): Promise<HeldRows> {
    const { db, run, sync } = this.#context;
    const held = new Map<number, Set<string>>();
    for (const chunk of await chunksInDoubt(db, run.account_record, sync.id)) {
      const rebuilt = await this.#unconfirmed.rebuild(chunk);
      if (rebuilt === null) holdRows(held, chunk.rows);
      else await this.#resend(chunk, rebuilt, read);
    }
    return held;
  }

  async #resend(chunk: DeliveryChunk, rebuilt: RebuiltChunk, read: ReadCounts): Promise<void> {
    const form = { ...this.#context, rowForm: chunk.rowForm };
    const changes = rebuilt.changes.map((change) => encodedChange(form, change));
    const lost = rebuilt.lost.map((change) => encodedChange(form, change));
    const { clock } = this.#context;
    await this.#noteDifferences(chunk, [...changes, ...lost]);
    const written = await this.#write(chunk, changes);
    const all = [...changes, ...lost];
    const delivered = deliveredChunk(chunk.event_id, all, written, read, new Date(clock.now()));
    await recordedProgress(this.#context, delivered, null);
    this.#refused.answered(all, written);
    this.delivered += 1;
  }

  /**
   * From now on two different copies of the event may be in flight, and only the first to arrive counts. This is
   * recorded before the second is sent, because the next worker may build the first one again.
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

  async #write(chunk: DeliveryChunk, changes: readonly Change[]): Promise<WrittenChunk> {
    const { connector, writer, halted, confirmLease } = this.#context;
    const existing =
      connector.afterUnknown === 'look_up' ? await this.#lookUp(writer, chunk, changes) : NOTHING_EXISTS;
    const { refs, existed, unsent } = withExisting(changes, existing);
    if (unsent.length === 0) return { rejected: [], remoteRefs: refs, existed };
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
    const { written, entry } = await writeChunk(this.#context, outgoing, unsent, halted);
    await this.#context.deliveryLog?.note(entry);
    return {
      ...written,
      remoteRefs: new Map([...refs, ...written.remoteRefs]),
      existed: new Map([...existed, ...written.existed]),
    };
  }

  /** New rows of the chunk that are at the destination. */
  async #lookUp(
    writer: DestinationWriter,
    { created }: DeliveryChunk,
    changes: readonly Change[],
  ): Promise<ReadonlyMap<string, ExistingRow>> {
    if (writer.lookUp === undefined) throw new TypeError('a destination that looks up must be able to');
    const added = changes.filter((change) => change.change === 'new');
    return writer.lookUp(added, created.getTime(), this.#context.halted);
  }
}

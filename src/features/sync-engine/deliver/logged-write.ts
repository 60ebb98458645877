import type {
  DestinationConnector,
  DestinationWriter,
} from '../../../connectors/destinations/destination-contract.ts';
import type {
  ChunkAttempt,
  OutgoingChunk,
  WrittenChunk,
} from '../../../connectors/destinations/outgoing-chunk.ts';
import type { SyncMetrics } from '../run/run-context.ts';
import type { DeliveryLog, LoggedChange } from './delivery-log.ts';

export interface LoggedWrite {
  readonly written: WrittenChunk;
  /** Settles when it is logged; never rejects. */
  readonly logged: Promise<void>;
}

const NOT_LOGGED = Promise.resolve();

/** Writes a chunk and logs its attempts. Raises what writing raises, once that is logged. */
export async function loggedWrite(
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
  changes: readonly LoggedChange[],
  signal: AbortSignal,
): Promise<LoggedWrite> {
  const write = async (outgoing: OutgoingChunk): Promise<WrittenChunk> => {
    let outcome = 'failed';
    try {
      const written = await writer.write(outgoing, signal);
      outcome = 'succeeded';
      return written;
    } finally {
      metrics.delivery(connector.type, outcome);
    }
  };
  if (deliveryLog === null) return { written: await write(chunk), logged: NOT_LOGGED };
  const attempts: ChunkAttempt[] = [];
  const attempted = (attempt: ChunkAttempt): void => void attempts.push(attempt);
  try {
    const written = await write({ ...chunk, attempted });
    return { written, logged: deliveryLog.note(chunk, changes, attempts, 'succeeded') };
  } catch (error) {
    await deliveryLog.note(chunk, changes, attempts, 'failed');
    throw error;
  }
}

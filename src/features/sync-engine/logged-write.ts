import type { DestinationWriter } from '../../connectors/destinations/destination-contract.ts';
import type {
  ChunkAttempt,
  OutgoingChunk,
  WrittenChunk,
} from '../../connectors/destinations/outgoing-chunk.ts';
import type { DeliveryLog, LoggedChange } from './delivery-log.ts';

export interface LoggedWrite {
  readonly written: WrittenChunk;
  /** Settles when it is logged; never rejects. */
  readonly logged: Promise<void>;
}

const NOT_LOGGED = Promise.resolve();

/** Writes a chunk and logs its attempts. Raises what writing raises, once that is logged. */
export async function loggedWrite(
  { writer, deliveryLog }: { readonly writer: DestinationWriter; readonly deliveryLog: DeliveryLog | null },
  chunk: OutgoingChunk,
  changes: readonly LoggedChange[],
  signal: AbortSignal,
): Promise<LoggedWrite> {
  if (deliveryLog === null) return { written: await writer.write(chunk, signal), logged: NOT_LOGGED };
  const attempts: ChunkAttempt[] = [];
  const attempted = (attempt: ChunkAttempt): void => void attempts.push(attempt);
  try {
    const written = await writer.write({ ...chunk, attempted }, signal);
    return { written, logged: deliveryLog.note(chunk, changes, attempts, 'succeeded') };
  } catch (error) {
    await deliveryLog.note(chunk, changes, attempts, 'failed');
    throw error;
  }
}

import type { EventDelivery } from '#client';
import { api } from '../../api/client.ts';

export interface PingOutcome {
  readonly event: string;
  /** Null where there was no result in the time that a receiver has to answer. */
  readonly attempt: EventDelivery['attempts'][number] | null;
}

const ASK_MS = 1_500;
/** The receiver has 10 seconds, and the queue some. */
const MOST_ASKED = 13;

/** Sends a ping and waits for what the receiver says. Raises ApiError and UnreachableError. */
export async function pingOutcome(destination: string): Promise<PingOutcome> {
  const { id } = await api.eventDestinations.ping({ id: destination });
  for (let asked = 0; asked < MOST_ASKED; asked++) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    const [attempt] = (await api.events.listDeliveries({ id }).all()).flatMap(({ attempts }) => attempts);
    if (attempt !== undefined) return { event: id, attempt };
  }
  return { event: id, attempt: null };
}

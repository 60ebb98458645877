import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { EventDelivery, EventDestination } from '#client';
import { APP_PATHS } from '../../../../src/vocabulary/page-paths.ts';
import { api } from '../../api/client.ts';
import { Notice } from '../../parts/notice.tsx';
import { Problem } from '../../parts/page-states.tsx';
import { EVENT_DESTINATIONS, EVENTS } from '../../text/events.ts';
import classes from './events.module.css';

interface PingOutcome {
  readonly event: string;
  /** Null if there was no result in the time that a receiver has to respond. */
  readonly attempt: EventDelivery['attempts'][number] | null;
}

const ASK_MS = 1_500;
/** The receiver has 10 seconds, and the queue some. */
const MOST_ASKED = 13;

/** Sends a ping and waits for the receiver's response. Raises ApiError and UnreachableError. */
async function pingOutcome(destination: string): Promise<PingOutcome> {
  const { id } = await api.eventDestinations.ping({ id: destination });
  for (let asked = 0; asked < MOST_ASKED; asked++) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    const [attempt] = (await api.events.listDeliveries({ id }).all()).flatMap(({ attempts }) => attempts);
    if (attempt !== undefined) return { event: id, attempt };
  }
  return { event: id, attempt: null };
}

/** Sends a ping to an event destination and shows the receiver's response. */
export function usePing({ id }: EventDestination): {
  readonly send: () => void;
  readonly busy: boolean;
  readonly outcome: ReactNode;
} {
  const ping = useMutation({ mutationFn: () => pingOutcome(id) });
  return {
    send: () => ping.mutate(),
    busy: ping.isPending,
    outcome: ping.isPending ? (
      <p className={classes.pinging} role="status">
        {EVENT_DESTINATIONS.pinging}
      </p>
    ) : ping.error !== null ? (
      <Problem error={ping.error} title={EVENT_DESTINATIONS.failed.ping} />
    ) : ping.data === undefined ? null : (
      <>
        <Notice {...wordsOf(ping.data)} onClose={ping.reset} />
        <p className={classes.pinging}>
          <Link to={APP_PATHS.event} params={{ id: ping.data.event }}>
            {EVENT_DESTINATIONS.pingEvent}
          </Link>
        </p>
      </>
    ),
  };
}

interface NoticeWords {
  readonly tone: 'good' | 'bad';
  readonly title: string;
  readonly text: string;
}

function wordsOf({ attempt }: PingOutcome): NoticeWords {
  const words = EVENT_DESTINATIONS;
  if (attempt === null) return { tone: 'bad', title: words.pingSlow, text: words.pingSlowText };
  const { status_code: status, failure, duration_ms: ms } = attempt;
  if (failure !== null) return { tone: 'bad', title: words.pingFailed, text: EVENTS.failures[failure] };
  const answered = EVENTS.answered(status ?? 0);
  return status !== null && status < 300
    ? { tone: 'good', title: words.pinged, text: words.pingedText(status, ms) }
    : { tone: 'bad', title: words.pingFailed, text: answered };
}

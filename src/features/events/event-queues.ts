import { wakeQueue } from '../../storage/job-queue.ts';

/** One for each event, written with it: there is an event to hand to those who subscribe. */
export const EVENT_FAN_OUT = wakeQueue({
  name: 'event-fan-out',
  payload: { event: 'event' },
  retry: { limit: 3, delaySeconds: 1 },
  expireSeconds: 600,
});

/** One for each batch of events that was handed on, however many event destinations have something to deliver now. */
export const EVENT_DELIVERY = wakeQueue({
  name: 'event-delivery',
  payload: { destination: 'event_destination' },
  retry: { limit: 3, delaySeconds: 1 },
  expireSeconds: 600,
});

/** Something is to be delivered to an event destination at the job's time. */
export const EVENT_RETRY = wakeQueue({
  name: 'event-retry',
  payload: { destination: 'event_destination' },
  retry: { limit: 3, delaySeconds: 1 },
  expireSeconds: 600,
  onePer: 'destination',
});

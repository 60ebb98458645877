import { wakeQueue } from '../../storage/job-queue.ts';

/** Something is to be delivered to an event destination at the job's time. */
export const EVENT_RETRY = wakeQueue({
  name: 'event-retry',
  payload: { destination: 'event_destination' },
  retry: { limit: 3, delaySeconds: 1 },
  expireSeconds: 600,
  onePer: 'destination',
});

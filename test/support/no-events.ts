import type { EventTrigger } from '../../src/features/events/event-log.ts';

/** Where no one can subscribe. */
export const noEvents: EventTrigger = async () => undefined;

import type { EventTrigger } from '../../src/features/events/event-log.ts';

/** Where nobody can subscribe. */
export const noEvents: EventTrigger = async () => undefined;

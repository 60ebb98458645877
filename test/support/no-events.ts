import type { EventTrigger } from '../../src/features/events/event-trigger.ts';

/** Where nobody can subscribe. */
export const noEvents: EventTrigger = async () => undefined;

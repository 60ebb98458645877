import { askedBy } from '../../src/features/syncs/run-queue.ts';

/** A key that is behind what a test asks of a feature. */
export const SOME_KEY = { kind: 'api_key', id: '019ab000-0000-7000-8000-000000000001' } as const;

/** Why a run is queued that a test asks for without a surface. */
export const ASKED = askedBy(SOME_KEY);

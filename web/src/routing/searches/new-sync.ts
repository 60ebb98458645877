import type { Search } from './search.ts';

export const SYNC_STEPS = [
  'data',
  'accounts',
  'destination',
  'places',
  'rows',
  'schedule',
  'review',
] as const;
export type AddressStep = (typeof SYNC_STEPS)[number];

/** Which step of setting up a sync is shown, and what it is to begin with. */
export interface NewSyncSearch {
  readonly step?: AddressStep;
  readonly destination?: string;
}

export function newSyncSearch({ step: named, destination }: Search): NewSyncSearch {
  const step = SYNC_STEPS.find((one) => one === named);
  return {
    ...(step !== undefined && { step }),
    ...(typeof destination === 'string' && { destination }),
  };
}

import type { LocalTime } from './local-times.ts';

/** When a sync runs, as its owner chose: every so many minutes, or at times of day in a zone. */
export type SyncSchedule =
  | { readonly interval_minutes: number }
  /** In ascending order, none twice; an IANA zone. */
  | { readonly times: readonly LocalTime[]; readonly timezone: string };

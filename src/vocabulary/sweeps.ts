import type { LimitName } from './limits.ts';

/**
 * How far back a sync reads again beyond its overlap, narrowest first (docs/sync-engine.md): the days before today
 * (null: everything since the sync's first day), and the hours between two such reads.
 */
export const SWEEPS = {
  recent: { days: 'sweep_recent_days', everyHours: 'sweep_recent_hours' },
  year: { days: 'sweep_year_days', everyHours: 'sweep_year_hours' },
  all: { days: null, everyHours: 'sweep_all_hours' },
} as const satisfies Record<string, { readonly days: LimitName | null; readonly everyHours: LimitName }>;

export type Sweep = keyof typeof SWEEPS;
export const SWEEP_NAMES = ['recent', 'year', 'all'] as const satisfies readonly Sweep[];

import type { SyncRun } from '#client';
import { isObject } from './json.ts';

/** The rejected rows of a run that this browser is not to list any more, by their ids: as many as the run's page lists. */
export interface DismissedRun {
  readonly run: string;
  readonly rows: readonly string[];
}

/** By sync. */
export type DismissedRows = ReadonlyMap<string, DismissedRun>;

const PLACE = 'dismissed-rows';
/** More syncs than most people have; the earliest are forgotten. */
const MOST = 100;

let known: DismissedRows | null = null;
const watchers = new Set<() => void>();

/** The same object until something is dismissed. */
export function dismissedRows(): DismissedRows {
  known ??= readDismissed(localStorage.getItem(PLACE));
  return known;
}

export function watchDismissed(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

/** Hides the rejected rows of a sync, until a run rejects others; null lists them again. */
export function dismissRows(sync: string, dismissed: DismissedRun | null): void {
  const others = [...dismissedRows()].filter(([id]) => id !== sync);
  const all = dismissed === null ? others : [...others, [sync, dismissed] as const];
  known = new Map(all.slice(-MOST));
  localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(known)));
  for (const tell of watchers) tell();
}

/**
 * Whether every rejected row of the run was dismissed; null if that depends on which rows they are, and `rows` is not
 * given.
 */
export function isDismissed(
  { id, sync, counts, rejected_unlisted: unlisted }: SyncRun,
  dismissed: DismissedRows,
  rows: readonly { readonly id: string }[] | undefined,
): boolean | null {
  const known = dismissed.get(sync);
  if (known === undefined) return false;
  if (known.run === id) return true;
  // Then at least one of them is not one of those.
  if (unlisted > 0 || counts.rejected > known.rows.length) return false;
  return rows === undefined ? null : rows.every((row) => known.rows.includes(row.id));
}

/** What was stored, as far as it can be read. */
export function readDismissed(text: string | null): DismissedRows {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (!isObject(value)) return new Map();
    return new Map(
      Object.entries(value).flatMap(([sync, one]) =>
        isObject(one) && typeof one.run === 'string' && Array.isArray(one.rows)
          ? [[sync, { run: one.run, rows: one.rows.filter((row) => typeof row === 'string') }] as const]
          : [],
      ),
    );
  } catch {
    return new Map();
  }
}

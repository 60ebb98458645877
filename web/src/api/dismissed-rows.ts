import { isObject } from './json.ts';

/** Of each sync, how many rejected rows this browser is not to list any more. */
export type DismissedRows = ReadonlyMap<string, number>;

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

/** Hides the rejected rows of a sync, as long as there are this many; null lists them again. */
export function dismissRows(sync: string, count: number | null): void {
  const others = [...dismissedRows()].filter(([id]) => id !== sync);
  const all = count === null ? others : [...others, [sync, count] as const];
  known = new Map(all.slice(-MOST));
  localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(known)));
  for (const tell of watchers) tell();
}

/** What was stored, as far as it can be read. */
export function readDismissed(text: string | null): DismissedRows {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (!isObject(value)) return new Map();
    return new Map(
      Object.entries(value).flatMap(([sync, count]) =>
        typeof count === 'number' ? [[sync, count] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

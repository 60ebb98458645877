import type { IntendedRow } from '../../../storage/intended-rows.ts';

/** Rows by stream that must not travel in another chunk, because the chunk they are in is still unconfirmed. */
export type HeldRows = ReadonlyMap<number, ReadonlySet<string>>;

/** Adds the rows of an unconfirmed chunk, and those they replace. */
export function holdRows(held: Map<number, Set<string>>, rows: readonly IntendedRow[]): void {
  for (const { stream, sourceId, replaces } of rows) {
    const ids = held.get(stream) ?? new Set();
    held.set(stream, ids.add(sourceId));
    if (replaces !== null) ids.add(replaces);
  }
}

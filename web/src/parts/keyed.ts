/**
 * Rows with a key for each, made of what they say: a bank may list two that say the same, and React needs keys that differ.
 * Of rows with the same text, each is the same one as long as their number before it is.
 */
export function keyed<T>(rows: readonly T[], textOf: (row: T) => string): readonly (readonly [string, T])[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const text = textOf(row);
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    return [`${text} ${before}`, row] as const;
  });
}

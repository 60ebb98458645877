import type { Category } from '#client';

type Holder = Pick<Category, 'id' | 'sources'>;

/** What one claim changed. */
export interface ClaimedCodes {
  readonly category: string;
  /** The codes that the category claims since, by who claimed them before; null for those that no one did. */
  readonly added: ReadonlyMap<string | null, readonly string[]>;
  /** The codes that it released. */
  readonly removed: readonly string[];
}

interface ClaimUndo {
  /** One after another: what each of these categories is to claim. */
  readonly writes: readonly Holder[];
  /** Codes that someone else changed since, and that stay as they are. */
  readonly left: readonly string[];
}

/** How to take back what a claim changed, and nothing that was changed since. @param now every category as it is now */
export function undoOf({ category, added, removed }: ClaimedCodes, now: readonly Holder[]): ClaimUndo {
  const byId = new Map(now.map((one) => [one.id, one]));
  const holders = new Map(now.flatMap(({ id, sources }) => sources.map((code) => [code, id] as const)));
  const writes: Holder[] = [];
  const left: string[] = [];
  const freed = new Set<string>();
  for (const [before, codes] of added) {
    const earlier = before === null ? null : byId.get(before);
    const own = codes.filter((code) => earlier !== undefined && holders.get(code) === category);
    left.push(...codes.filter((code) => !own.includes(code)));
    // A code that another category claims leaves this one by that.
    if (earlier === null) for (const code of own) freed.add(code);
    else if (earlier !== undefined && own.length > 0)
      writes.push({ id: earlier.id, sources: [...earlier.sources, ...own] });
  }
  const own = byId.get(category);
  const back = removed.filter((code) => own !== undefined && !holders.has(code));
  left.push(...removed.filter((code) => !back.includes(code)));
  if (own !== undefined && freed.size + back.length > 0) {
    const moved = new Set(writes.flatMap(({ sources }) => sources));
    const kept = own.sources.filter((code) => !freed.has(code) && !moved.has(code));
    writes.push({ id: category, sources: [...kept, ...back] });
  }
  return { writes, left };
}

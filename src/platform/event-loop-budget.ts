/** How long work may run before it yields to the event loop. */
const BUDGET_MS = 10;

/** Work that yielded, in the order in which it resumes. */
const waiting: (() => void)[] = [];

/**
 * Resumes one piece of work in each turn of the event loop, not all: otherwise, with many of them, a request that
 * arrives in between would wait for a slice of every one, at each of its steps.
 */
function nextTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextTurn);
}

/** Keeps long work that awaits nothing from blocking the event loop: between two steps, yield once `spent`. */
export class EventLoopBudget {
  #since = performance.now();

  get spent(): boolean {
    return performance.now() - this.#since >= BUDGET_MS;
  }

  /** Resolves after everything that was waiting has run and other work had its turn, with a new budget. */
  async yieldToEventLoop(): Promise<void> {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(nextTurn);
    });
    this.#since = performance.now();
  }
}

/** Does the work for each item in turn, and yields whenever `budget` is spent. */
export async function inSlices<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  budget = new EventLoopBudget(),
): Promise<void> {
  for (const item of items) {
    if (budget.spent) await budget.yieldToEventLoop();
    work(item);
  }
}

/** How many items are sorted at once: about a millisecond. */
const SORTED_AT_ONCE = 2_048;

/** The items in order, as `toSorted` gives them, and yields in between: a hundred thousand take half a second. */
export async function sortedInSlices<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<readonly T[]> {
  const budget = new EventLoopBudget();
  let runs: T[][] = [];
  const starts = Array.from(
    { length: Math.ceil(items.length / SORTED_AT_ONCE) },
    (_, at) => at * SORTED_AT_ONCE,
  );
  await inSlices(
    starts,
    (start) => runs.push(items.slice(start, start + SORTED_AT_ONCE).sort(compare)),
    budget,
  );
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergedRun(runs[at] ?? [], runs[at + 1] ?? [], compare, budget));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedRun<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
  budget: EventLoopBudget,
): Promise<T[]> {
  const merged: T[] = [];
  let at = 0;
  await inSlices(
    one,
    (item) => {
      for (let next = other[at]; next !== undefined && compare(next, item) < 0; next = other[at]) {
        merged.push(next);
        at += 1;
      }
      merged.push(item);
    },
    budget,
  );
  for (; at < other.length; at += SORTED_AT_ONCE) {
    if (budget.spent) await budget.yieldToEventLoop();
    merged.push(...other.slice(at, at + SORTED_AT_ONCE));
  }
  return merged;
}

/** Work that lets others go on at each `yield`, and returns its result at the end. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** About half of a frame at 60 Hz: the other half is for input and drawing. */
const SLICE_MS = 8;

/** The result of work, however long it takes. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

type Progress<T> = { readonly done: true; readonly value: T } | { readonly done: false };

/** Goes on with the work for a slice. */
export function advance<T>(steps: Steps<T>): Progress<T> {
  const until = performance.now() + SLICE_MS;
  do {
    const { done, value } = steps.next();
    if (done === true) return { done, value };
  } while (performance.now() < until);
  return { done: false };
}

/** Items that are looked at between two looks at the clock. */
const STRIDE = 500;

/** The items in order, as `toSorted` has them: those that compare as equal stay as they were. */
export function* sortedSteps<T extends object>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += STRIDE) {
    runs.push(items.slice(at, at + STRIDE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergedSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedSteps<T extends object>(
  before: readonly T[],
  after: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<readonly T[]> {
  const merged: T[] = [];
  let taken = 0;
  for (const item of before) {
    for (let next = after[taken]; next !== undefined && compare(item, next) > 0; next = after[taken]) {
      merged.push(next);
      taken += 1;
      if (merged.length % STRIDE === 0) yield;
    }
    merged.push(item);
    if (merged.length % STRIDE === 0) yield;
  }
  for (const item of after.slice(taken)) merged.push(item);
  return merged;
}

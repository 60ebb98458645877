const ROUNDS = 20;
/** Processor time of one round on the machine that the bars in tests were set on, at rest. */
const AT_REST_MS = 15;

/**
 * How many times as long as at rest this machine computes now, at least 1. A bar in milliseconds that a test sets is
 * multiplied by it: a busy core, whose caches others use, takes more processor time for the same work.
 */
export function slowness(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const { user, system } = process.cpuUsage();
    work();
    const since = process.cpuUsage({ user, system });
    least = Math.min(least, (since.user + since.system) / 1000);
  }
  return Math.max(1, least / AT_REST_MS);
}

/** Of the kind that the service does with a body: parse, walk and write it. */
function work(): void {
  const text = JSON.stringify(Array.from({ length: 8_000 }, (_, at) => ({ [`k${at}`]: `w${at}` })));
  const parsed: readonly object[] = JSON.parse(text);
  const names = parsed.flatMap((one) => Object.keys(one)).toSorted();
  if (names.length !== 8_000) throw new Error('the work was not done');
}

import type { Page } from 'playwright-core';

/** How long the work below takes in the browser on a machine with nothing else to do, in milliseconds. */
const QUIET_MS = 50;
/** In calls, because the browser compiles code that is called repeatedly and not code that runs once. */
const WORK = `(() => {
  const part = () => {
    let sum = 0;
    for (let turn = 0; turn < 600_000; turn++) sum = (sum + turn * 31) % 1_000_003;
    return sum;
  };
  const began = performance.now();
  let sum = 0;
  for (let turn = 0; turn < 20; turn++) sum += part();
  return performance.now() - began + (sum === 1 ? 1 : 0);
})()`;

/**
 * How many times slower the thread of the page is now than on a quiet machine. At least 1: a fast machine need not be
 * faster than what people are promised.
 */
export async function slownessOf(page: Page): Promise<number> {
  return Math.max(1, Number(await page.evaluate(WORK)) / QUIET_MS);
}

import type { Page } from 'playwright-core';

const SETTLE = `(async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
})()`;

/** Ends animations on the page: a colour between two themes belongs to neither. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(SETTLE);
}

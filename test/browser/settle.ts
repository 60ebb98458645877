import type { Page } from 'playwright-core';

const SETTLE = `(async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
})()`;

/** Ends what moves on the page: a colour on its way from one theme to the other is neither. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(SETTLE);
}

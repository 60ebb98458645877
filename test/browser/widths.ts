import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { settle } from './settle.ts';

/** Up to phones of ten years ago, and from a desk's laptop to its screen. */
const WIDTHS = [320, 375, 1_920];

/** What is wider than the page, if it can be scrolled sideways; empty if it cannot. */
const SIDEWAYS = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > clientWidth + 0.5)
    .map((one) => one.outerHTML.slice(0, 120));
})()`;

/** Raises if the page scrolls sideways at any of the widths. */
export async function assertFits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await settle(page);
    assert.deepEqual(await page.evaluate(SIDEWAYS), [], `at ${width} px it scrolls sideways`);
  }
}

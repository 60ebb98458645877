import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium, PHONE } from './chromium.ts';
import { visitorOf } from './people.ts';
import { SCENES } from './scenes.ts';
import { assertFits } from './widths.ts';

/** The cumulative layout shift that a page may have: half of what https://web.dev/articles/cls calls good. */
const MOST_SHIFT = 0.05;

/** How much the layout has shifted since the document began, without what followed a press or a key, and what did. */
const SHIFTED = `new Promise((done) => {
  const moved = [];
  let sum = 0;
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  const note = (entries) => {
    for (const { hadRecentInput, value, sources } of entries) {
      if (hadRecentInput) continue;
      sum += value;
      moved.push([value, ...sources.map(({ node }) => node?.textContent?.slice(0, 40))].join(' '));
    }
  };
  observer.observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => {
    note(observer.takeRecords());
    done({ sum, moved: moved.join('; ') });
  }));
})`;

async function assertStill(page: Page): Promise<void> {
  const { sum, moved } = await page.evaluate<{ sum: number; moved: string }>(SHIFTED);
  assert.ok(sum <= MOST_SHIFT, `the layout shifts by ${sum}: ${moved}`);
}

async function assertUsable(page: Page): Promise<void> {
  await assertStill(page);
  await assertAccessible(page, 'in light on a desk');
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.setViewportSize(PHONE);
  await assertAccessible(page, 'in dark on a phone');
  await assertFits(page);
}

describe('axe finds no violation, nothing shifts, and at 320, 375 and 1,920 px nothing scrolls sideways', () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    service = await startService();
    browser = await openChromium();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  for (const [name, scene] of Object.entries(SCENES)) {
    test(`on ${name}`, async () => {
      const shown = await scene(service);
      const { page, close } = await visitorOf(shown, { browser, service, scheme: 'light' });
      await shown.ready(page);
      assert.ok(
        new URLPattern({ pathname: scene.route }).test(page.url()),
        `${page.url()} is at ${scene.route}`,
      );
      await assertUsable(page);
      await close();
    });
  }

  test('on an address at which there is no page', async () => {
    const nowhere = { owner: await service.owner(), path: '/nowhere', as: 'signed-out' } as const;
    const { page, close } = await visitorOf(nowhere, { browser, service, scheme: 'light' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await assertUsable(page);
    await close();
  });
});

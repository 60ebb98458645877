import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { slownessOf } from './machine-speed.ts';
import { signedInAt } from './people.ts';

/** A mid-range phone: a quarter of a desk's speed, on a good mobile network. */
const SLOWDOWN = 4;
const NETWORK = {
  offline: false,
  latency: 40,
  downloadThroughput: (9 * 1024 * 1024) / 8,
  uploadThroughput: (1.5 * 1024 * 1024) / 8,
} as const;

const UNHINDERED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 } as const;

/** The aim in docs/benchmarks.md, on a machine as fast as the reference. */
const MOST_MS = 1_000;
const MOST_SHIFT = 0.1;
/** One good run is enough: a busy machine delays a run, while a slow page is slow in all of them. */
const MOST_RUNS = 20;

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

/** Records in each document when home can be used, and how much its layout has shifted. */
const WATCH = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  window.usable = new Promise((done) => {
    new MutationObserver((_changes, observer) => {
      const text = document.querySelector('main')?.textContent ?? '';
      if (!/Balances/.test(text) || !/Everyday/.test(text)) return;
      observer.disconnect();
      requestAnimationFrame(() => done(performance.now()));
    }).observe(document, { childList: true, subtree: true });
  });
`;

describe('the first page on a phone', () => {
  test('home can be used soon after its opening and does not shift, with nothing in the cache of the browser', async (t) => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/', { browser, service, owner, phone: true });
    await page.getByRole('slider').waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.addInitScript(WATCH);
    const runs: { readonly ms: number; readonly shift: number }[] = [];
    const good = () => runs.find(({ ms, shift }) => ms <= MOST_MS && shift < MOST_SHIFT);
    while (good() === undefined && runs.length < MOST_RUNS) {
      const before = await slownessOf(page);
      const { usable, shift } = await opened(page, devtools);
      const slowness = (before + (await slownessOf(page))) / 2;
      runs.push({ ms: usable / slowness, shift });
      t.diagnostic(
        `usable after ${Math.round(usable)} ms on a machine ${slowness.toFixed(1)} times slower, shift ${shift.toFixed(3)}`,
      );
    }
    assert.ok(
      good() !== undefined,
      `each of ${runs.length} runs was slow or shifted: ${JSON.stringify(runs)}`,
    );
    await close();
  });
});

/** Opens home like a phone, and waits until it is complete. */
async function opened(
  page: Page,
  devtools: CDPSession,
): Promise<{ readonly usable: number; readonly shift: number }> {
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(new URL('/', service.url).href, { waitUntil: 'commit' });
  const usable = Number(await page.evaluate('window.usable'));
  await page.getByRole('slider').waitFor();
  const shift = Number(await page.evaluate('window.shifted'));
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await devtools.send('Network.emulateNetworkConditions', UNHINDERED);
  return { usable, shift };
}

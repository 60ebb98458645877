import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium, PHONE } from './chromium.ts';
import { visitorOf } from './people.ts';
import { SCENES } from './scenes.ts';

describe('axe finds no violation', () => {
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
    test(`on ${name}, in light on a desk and in dark on a phone`, async () => {
      const shown = await scene(service);
      const { page, close } = await visitorOf(shown, { browser, service, scheme: 'light' });
      await shown.ready(page);
      assert.ok(
        new URLPattern({ pathname: scene.route }).test(page.url()),
        `${page.url()} is at ${scene.route}`,
      );
      await assertAccessible(page, 'in light on a desk');
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await page.setViewportSize(PHONE);
      await assertAccessible(page, 'in dark on a phone');
      await close();
    });
  }
});

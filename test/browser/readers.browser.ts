import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { ofxOf, STATEMENT, upload } from '../features/documents/statements.ts';
import { startService, type TestService } from '../support/service.ts';
import { assertAccessible } from './accessibility.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { addRuleset } from './rulesets.ts';
import { severalSyncs } from './sync-lives.ts';

const ONLY_OWNERS = 'Only an owner can change this.';
const NOT_YOURS = 'Only an owner can do this';

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

/** The buttons and switches of the page, without links to other pages. */
async function offeredBy(page: Page): Promise<string[]> {
  const names = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main :is(button, [role="switch"], [type="checkbox"]):enabled')].map((one) =>
      (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim())`,
  );
  return [...new Set(names)].sort();
}

async function goTo(page: Page, path: string, shown: string): Promise<void> {
  await page.goto(new URL(path, service.url).href);
  await page.locator('main').getByText(shown).first().waitFor({ timeout: 20_000 });
}

describe('a reader', () => {
  test('reads the pages, is offered nothing that v2 would refuse, and is told whose it is', async () => {
    const owner = await linkedOwner(service);
    const sync = await severalSyncs(
      owner,
      owner.connection.accounts.map(({ id }: { id: string }) => id),
    );
    const ruleset = await addRuleset(owner);
    await upload(owner, 'september.ofx', ofxOf(STATEMENT));
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, role: 'reader' });
    const bank: string = owner.connection.institution.name;
    const pages: readonly (readonly [path: string, shown: string, reads: readonly string[]])[] = [
      ['/connections', bank, []],
      [`/connections/${owner.connection.id}`, bank, []],
      ['/connections/files', 'september.ofx', []],
      ['/destinations', 'Our money', []],
      [`/destinations/${sync.destination.id}`, 'Our money', []],
      ['/syncs', 'Household', []],
      [`/syncs/${sync.id}`, 'Household', ['Export', 'Start the dry run', 'Start verifying']],
      ['/categories', 'Groceries', []],
      ['/rulesets', 'Household rules', []],
      [`/rulesets/${ruleset.id}`, 'Include pending', ['Include pending', 'Preview']],
      ['/developer/event-destinations', 'Event destinations', []],
    ];
    for (const [path, shown, reads] of pages) {
      await goTo(page, path, shown);
      await page.getByText(ONLY_OWNERS).first().waitFor({ timeout: 20_000 });
      assert.deepEqual(await offeredBy(page), reads, path);
      assert.equal(await page.locator('main a[href*="/new"]').count(), 0, path);
      await assertAccessible(page, path);
    }
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a person who follows a link to a form is told that it is for owners, before filling it in', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner, role: 'reader' });
    for (const path of [
      '/connections/new',
      '/destinations/new',
      '/destinations/new?type=webhook',
      '/syncs/new',
      '/developer/keys/new',
      '/developer/event-destinations/new',
      '/welcome',
    ]) {
      await goTo(page, path, NOT_YOURS);
      assert.equal(await page.locator('main :is(input, textarea, select, button)').count(), 0, path);
    }
    assert.deepEqual(complaints, []);
    await close();
  });
});

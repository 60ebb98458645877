import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner, newCustomer } from './lives.ts';
import { signedInAt } from './people.ts';

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

const MARKUP = [
  '<img src=x onerror="document.title=\'run\'">',
  '<script>document.title="run"</script>',
  '"><svg/onload=document.title="run">',
  'javascript:document.title="run"',
  '{{constructor.constructor("document.title=1")()}}',
];

describe('texts that strangers put into a bank statement', () => {
  test('stay text wherever a transaction is shown: in the list, its details, the category change and the search', async () => {
    newCustomer(
      service,
      'hostile',
      MARKUP.map((text, at) => ({
        amount: `-${9000 + at}.00`,
        description: text,
        merchantName: `${text} merchant`,
        reference: `${text} reference`,
        secondaryCategory: 'FOOD_AND_DRINK_COFFEE',
      })),
    );
    const owner = await linkedOwner(service, { customer: 'hostile' });
    const { page, complaints, close } = await signedInAt('/transactions?least=9000', {
      browser,
      service,
      owner,
    });
    const rows = page.getByRole('list').getByRole('button');
    await page.getByText(/^5 of \d+ transactions$/).waitFor();
    for (const text of MARKUP) {
      await page.getByText(`${text} merchant`, { exact: true }).waitFor();
      await page.getByRole('searchbox', { name: 'Search' }).fill(text);
      await page.getByText(/^1 of \d+ transactions$/).waitFor();
      await rows.first().click();
      const dialog = page.getByRole('dialog', { name: `${text} merchant` });
      await dialog.getByText(`${text} reference`, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Change category' }).click();
      await dialog.getByRole('radio', { name: 'Always do this' }).check();
      assert.equal(await dialog.getByLabel('Text', { exact: true }).inputValue(), `${text} merchant`);
      await page.keyboard.press('Escape');
      // The focus goes back to the row, which would take it from the field.
      await rows.and(page.locator(':focus')).waitFor();
      await page.getByRole('searchbox', { name: 'Search' }).fill('');
    }
    assert.equal(await page.title(), 'Transactions · Tributary');
    assert.equal(await page.locator('main img, main script, main iframe, dialog img').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});

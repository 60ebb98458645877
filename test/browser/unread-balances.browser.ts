import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import { changeAnswers } from './changed-answers.ts';
import { openChromium } from './chromium.ts';
import { linkedOwner } from './lives.ts';
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

/** An owner of bank accounts for whom nothing is cached. */
async function uncached(): Promise<Awaited<ReturnType<typeof linkedOwner>>> {
  const owner = await linkedOwner(service);
  await service.app.services.accountRecords.update(owner.record.id, { caching: false });
  return owner;
}

const unread = async (owner: TestOwner) => {
  const accounts = (await owner.v2('GET', '/v2/accounts')).body.data;
  const query = accounts.map(({ id }: { id: string }) => `account=${id}`).join('&');
  await owner.v2('GET', `/v2/balances?${query}`);
};

describe('where balances cannot be read', () => {
  test('a sum over some of the accounts names the others beside it', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const [first] = owner.connection.accounts;
    await changeAnswers(page, '**/v2/balances?**', (body) => {
      const list = JSON.parse(body);
      for (const one of list.data) {
        if (one.account !== first.id) continue;
        Object.assign(one, { current: null, available: null, observed_at: null, freshness: 'unavailable' });
      }
      return JSON.stringify(list);
    });
    await page.getByRole('link', { name: 'Home' }).click();
    const lacks = `Without ${first.name}, which cannot be read now.`;
    await page.getByRole('region', { name: 'Net worth' }).getByText(lacks).waitFor();
    await page.getByRole('region', { name: 'Balances' }).getByText(lacks).waitFor();
    await close();
  });

  test('without caching, home and the account say when the bank allows another reading', async () => {
    const owner = await uncached();
    await unread(owner);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const again = page.getByText(/^Your bank allows another reading at \d/);
    await page.getByRole('region', { name: 'Balances' }).locator(again).waitFor();
    await page.goto(new URL(`/accounts/${owner.connection.accounts[0].id}`, service.url).href);
    await again.first().waitFor();
    await close();
  });

  test('without caching, a figure that was read stays while the person goes from page to page', async () => {
    const owner = await uncached();
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const balances = page.getByRole('region', { name: 'Balances' });
    const total = await balances.locator('dd').first().innerText();
    const { name } = owner.connection.accounts[0];
    await balances.getByRole('link', { name }).click();
    await page.getByRole('slider', { name: /^Balance in AUD/ }).waitFor();
    await page.getByText(/^Your bank allows another reading at \d/).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    assert.equal(await balances.locator('dd').first().innerText(), total);
    await close();
  });

  // The last, because the bank rests after its failures.
  test('home shows no figure for none, says why, and waits for none', async () => {
    const owner = await uncached();
    sandboxBank(service.app).addFault({ route: 'GET /v1/banking/*', kind: 'unavailable', count: 999 });
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const worth = page.getByRole('region', { name: 'Net worth' });
    await worth.getByText('None of your accounts could be read just now.').waitFor();
    await worth.getByRole('button', { name: 'Try again' }).waitFor();
    const balances = page.getByRole('region', { name: 'Balances' });
    await balances.getByRole('button', { name: 'Try again' }).waitFor();
    assert.doesNotMatch(await page.getByRole('main').innerText(), /\$\d/);
    const spending = page.getByRole('region', { name: 'Spending', exact: true });
    await spending.getByText('could not be read').waitFor();
    sandboxBank(service.app).clearFaults();
    await close();
  });
});

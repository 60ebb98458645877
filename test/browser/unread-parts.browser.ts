import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { investor, linkAnother, linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse, refuseAccount } from './refusals.ts';
import { sheetWithRun } from './sync-lives.ts';

const REFUSED = { status: 400, json: { error: { message: 'Nothing can be read just now.' } } } as const;

interface Life {
  readonly household: TestOwner & { readonly connection: Json };
  readonly trader: TestOwner;
  readonly sync: string;
}

interface Part {
  /** What cannot be read. */
  readonly what: string;
  readonly owner?: (life: Life) => TestOwner;
  readonly page: (life: Life) => string;
  readonly asked: string;
  /** What is there once it can be read. */
  readonly shown: (page: Page) => Locator;
}

const text = (words: string | RegExp) => (page: Page) => page.getByText(words);

/** The lists and parts of pages that no other file refuses. */
const PARTS: readonly Part[] = [
  { what: 'the syncs', page: () => '/syncs', asked: '**/v2/syncs?**', shown: text('Up to date') },
  {
    what: 'the runs of a sync',
    page: ({ sync }) => `/syncs/${sync}`,
    asked: '**/v2/syncs/*/runs?**',
    shown: text(/over the API · /),
  },
  {
    what: 'the consents of a connection',
    page: ({ household }) => `/connections/${household.connection.id}`,
    asked: '**/v2/consents?**',
    shown: text('Active'),
  },
  {
    what: 'recurring payments',
    page: () => '/recurring',
    asked: '**/v2/transactions/export?**',
    shown: (page) => page.getByRole('list', { name: 'Next 30 days' }),
  },
  {
    what: 'the merchants',
    page: () => '/merchants',
    asked: '**/v2/transactions/export?**',
    shown: (page) => page.getByRole('link', { name: 'BPAY BRIGHT ENERGY' }),
  },
  {
    what: 'a merchant',
    page: () => '/merchants/bpay-bright-energy',
    asked: '**/v2/transactions/export?**',
    shown: (page) => page.getByRole('heading', { name: 'BPAY BRIGHT ENERGY', level: 1 }),
  },
  {
    what: 'the trades',
    owner: ({ trader }) => trader,
    page: () => '/trades',
    asked: '**/v2/trades?**',
    shown: text(/Whole World Index ETF/),
  },
  {
    what: 'the events',
    page: () => '/developer/events',
    asked: '**/v2/events?**',
    shown: (page) => page.getByRole('link', { name: 'connection.created' }),
  },
  {
    what: 'the event destinations',
    page: () => '/developer/event-destinations',
    asked: '**/v2/event_destinations?**',
    shown: text('No event destination yet'),
  },
  {
    what: 'the connected apps',
    page: () => '/developer/apps',
    asked: '**/v2/connected_apps?**',
    shown: text('No app is connected'),
  },
  {
    what: 'the apps of the bridge',
    page: () => '/developer/simplefin',
    asked: '**/v2/simplefin_apps?**',
    shown: text('No program is connected yet.'),
  },
];

let service: TestService;
let browser: Browser;
let life: Life;
before(async () => {
  service = await startService();
  browser = await openChromium();
  const household = await linkedOwner(service);
  const accounts: Json[] = household.connection.accounts;
  const { sync } = await sheetWithRun(
    household,
    accounts.map(({ id }) => id),
  );
  life = { household, trader: await investor(service, 'self-directed'), sync: sync.id };
});
after(async () => {
  await browser?.close();
  await service?.close();
});

describe('a part of a page that cannot be read says so, and is there when it is asked for again:', () => {
  for (const { what, owner: ownerOf, page: at, asked, shown } of PARTS) {
    test(what, async () => {
      const owner = ownerOf?.(life) ?? life.household;
      const { page, close } = await signedInAt('/categories', { browser, service, owner });
      const refused = await refuse(page, asked, REFUSED);
      await page.goto(new URL(at(life), service.url).href);
      const problem = page.getByRole('alert').filter({ hasText: 'Nothing can be read just now.' });
      await problem.first().waitFor();
      assert.equal(await shown(page).count(), 0);
      await refused.passAfter(problem.first().getByRole('button', { name: 'Try again' }));
      await shown(page).first().waitFor();
      await close();
    });
  }

  test('one bank of several, whose rows alone are missing', async () => {
    const owner = await linkedOwner(service);
    const other = await linkAnother(owner, { customer: 'dormant', at: 'inst_fk_88888' });
    const { page, close } = await signedInAt('/categories', { browser, service, owner });
    await refuseAccount(page, other.accounts[0].id);
    await page.goto(new URL('/transactions', service.url).href);
    const problem = page.getByRole('alert').filter({ hasText: other.institution.name });
    await problem.waitFor();
    assert.match(await problem.innerText(), /could not be read, so its transactions are missing here/);
    await page.getByRole('listitem').nth(5).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.waitFor({ state: 'detached' });
    await page.getByRole('listitem').nth(5).waitFor();
    await close();
  });

  test('one bank of several, named above the totals of a merchant, of which nothing is claimed without it', async () => {
    const owner = await linkedOwner(service);
    const other = await linkAnother(owner, { customer: 'dormant', at: 'inst_fk_88888' });
    const { page, close } = await signedInAt('/categories', { browser, service, owner });
    await refuseAccount(page, other.accounts[0].id);
    await page.goto(new URL('/merchants/bpay-bright-energy', service.url).href);
    const problem = page.getByRole('alert').filter({ hasText: other.institution.name });
    await problem.waitFor();
    assert.match(await problem.innerText(), /could not be read, so its transactions are missing here/);
    const main = await page.getByRole('main').innerText();
    assert.ok(main.indexOf('could not be read') < main.indexOf('Paid in 12 months'), main);
    await page.goto(new URL('/merchants/nobody', service.url).href);
    await problem.waitFor();
    assert.doesNotMatch(await page.getByRole('main').innerText(), /No transactions of this merchant|None of/);
    await page.unrouteAll({ behavior: 'wait' });
    await problem.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('None of your accounts has any in the last 13 months.').waitFor();
    await close();
  });

  test('the oldest rows of an account with more than are read, named above the totals of a merchant', async () => {
    const owner = await linkedOwner(service, { customer: 'rows:10500' });
    const { page, complaints, close } = await signedInAt('/merchants', { browser, service, owner });
    const short = page.getByText(/has more transactions than are read here, so infrequent payments may be/);
    await short.waitFor();
    const merchant = page.getByRole('main').getByRole('listitem').first().getByRole('link');
    const path = (await merchant.getAttribute('href')) ?? assert.fail();
    // Reached by the link, it would read the rows that the list did not.
    await page.goto(new URL(path, service.url).href);
    await page.getByText('Paid in 12 months').waitFor();
    await short.waitFor();
    assert.equal(await page.getByText('No older transactions').count(), 0);
    await page.goto(new URL('/merchants/nobody', service.url).href);
    await short.waitFor();
    await page.getByText('There are none among the transactions that were read.').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });
});

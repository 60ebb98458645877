import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { AU_BANKING } from '../../src/connectors/providers/au-banking/integration.ts';
import { BROKERAGE } from '../../src/connectors/providers/brokerage/integration.ts';
import { ENABLE_BANKING } from '../../src/connectors/providers/enable-banking/integration.ts';
import { NZ_BANKING } from '../../src/connectors/providers/nz-banking/integration.ts';
import type { ProviderIntegration } from '../../src/connectors/providers/provider-integration.ts';
import { SIMPLEFIN } from '../../src/connectors/providers/simplefin/integration.ts';
import { UP_BANK } from '../../src/connectors/providers/up-bank/integration.ts';
import { LINK_WORDS } from '../../src/vocabulary/link-words.ts';
import { type LinkedProvider, PROVIDERS } from '../../src/vocabulary/provider-kinds.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { startService, type TestService } from '../support/service.ts';
import { newVisitor, openChromium } from './chromium.ts';
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

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Searches for an institution, and continues to the page that says who receives what. */
async function chooseAt(page: Page, institution: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search by name' }).fill(institution);
  await page
    .getByRole('button', { name: new RegExp(RegExp.escape(institution)), disabled: false })
    .first()
    .click();
  await page.waitForURL(/\/link\//);
}

interface Way {
  readonly institution: string;
  readonly row: ProviderIntegration;
  /** What is done before Continue; left out where nothing is. */
  readonly before?: (page: Page) => Promise<void>;
  /** From the page of the vendor to the end. */
  readonly atVendor: (page: Page) => Promise<void>;
  /** The connections and their accounts afterwards. */
  readonly linked: Readonly<Record<string, readonly string[]>>;
}

/** How a person links at each provider. Up comes first: it is offered while there is one account record. */
const WAYS: Readonly<Record<LinkedProvider, Way>> = {
  up_bank: {
    institution: 'Up',
    row: UP_BANK,
    atVendor: async () => undefined,
    linked: { Up: ['Spending', '🐷 Savings'] },
  },
  simplefin: {
    institution: 'SimpleFIN',
    row: SIMPLEFIN,
    before: async (page) => {
      const opened = page.waitForEvent('popup');
      await page.getByRole('link', { name: /Create a setup token/ }).click();
      const bridge = await opened;
      await bridge.getByRole('radio', { name: /two-banks/ }).check();
      await press(bridge, 'Create setup token');
      const token = await bridge.getByRole('textbox', { name: 'Setup token' }).inputValue();
      await bridge.close();
      await page.getByRole('textbox', { name: 'Setup token' }).fill(token);
    },
    atVendor: async () => undefined,
    linked: {
      'Prairie Credit Union': ['Everyday Checking (4021)', 'Share Savings (7715)'],
      'Harbor National Bank': ['Harbor Visa Credit Card (9034)'],
    },
  },
  au_banking: {
    institution: 'Gumtree Mutual',
    row: AU_BANKING,
    atVendor: async (page) => {
      await page.getByRole('radio', { name: /yen account/i }).check();
      await press(page, 'Log in');
      await page.getByRole('checkbox').first().uncheck();
      await press(page, 'Consent');
    },
    linked: { 'Gumtree Mutual (sandbox)': ['Yen Account'] },
  },
  nz_banking: {
    institution: 'Harakeke Bank',
    row: NZ_BANKING,
    atVendor: async (page) => {
      await page.getByRole('radio', { name: /Morgan Ngata/ }).check();
      await press(page, 'Sign in');
      await page.getByRole('checkbox', { name: /Rimu Bank/ }).check();
      await press(page, 'Share');
    },
    linked: { 'Harakeke Bank': ['Everyday'], 'Rimu Bank': ['Low Rate Visa'] },
  },
  enable_banking: {
    institution: 'Kuura Bank (FI)',
    row: ENABLE_BANKING,
    atVendor: async (page) => {
      await page.getByRole('radio', { name: /Kim Novák/ }).check();
      await press(page, 'Sign in');
      await page.getByRole('checkbox', { name: /Mortgage/ }).uncheck();
      await press(page, 'Share');
    },
    linked: { 'Kuura Bank': ['Credit card'] },
  },
  brokerage: {
    institution: 'Maple Direct',
    row: BROKERAGE,
    atVendor: async (page) => {
      await page.getByRole('radio', { name: /Sasha Safe/ }).check();
      await press(page, 'Log in');
      await page.getByRole('radio', { name: /The code that was sent/ }).check();
      await press(page, 'Continue');
      await press(page, 'Connect');
    },
    linked: { 'Maple Direct (sandbox)': ['Individual'] },
  },
};

describe('a person links from the connections of the application', () => {
  for (const [provider, way] of Object.entries(WAYS)) {
    test(`at ${provider}: search, disclosure, the vendor's pages, and back to the accounts`, async () => {
      const owner = await service.owner();
      const { page, complaints, close } = await signedInAt('/connections', { browser, service, owner });
      await page.getByRole('link', { name: 'Link a bank' }).first().click();
      await chooseAt(page, way.institution);
      const { recipient } = LINK_WORDS[way.row.name];
      await page.getByRole('definition').getByText(recipient.name, { exact: true }).waitFor();
      for (const shared of recipient.shared)
        await page.getByRole('listitem').filter({ hasText: shared }).waitFor();
      await way.before?.(page);
      await press(page, 'Continue');
      await way.atVendor(page);
      const { institution: what } = PROVIDERS[way.row.name].texts;
      await page
        .getByRole('status')
        .filter({ hasText: `Your ${what.toLowerCase()} is linked` })
        .waitFor();
      for (const [institution, accounts] of Object.entries(way.linked)) {
        const card = page.getByRole('article', { name: institution, exact: true });
        await card.getByText('Connected', { exact: true }).waitFor();
        const listed = card.getByRole('listitem');
        for (const account of accounts) await listed.filter({ hasText: account }).waitFor();
        assert.equal(await listed.count(), accounts.length, institution);
      }
      assert.equal(await page.getByRole('article').count(), Object.keys(way.linked).length);
      const [first = assert.fail()] = Object.keys(way.linked);
      const { granted, withdrawal } = PROVIDERS[way.row.name].texts;
      await page.getByRole('link', { name: first, exact: true }).click();
      await page.getByText(granted, { exact: true }).waitFor();
      await page.getByRole('button', { name: `Actions for ${first}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByText(withdrawal, { exact: true }).waitFor();
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});

describe('a person who picks another bank at the vendor than the one they chose', () => {
  test('reads which was linked, and links the chosen one from there', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await signedInAt('/connections/new', { browser, service, owner });
    await chooseAt(page, 'Rimu Bank');
    await page.getByText('Rimu Bank, through Akahu: choose it there').waitFor();
    await page.getByText(/^Signed in as$/).waitFor();
    await press(page, 'Continue');
    const pick = async (other: RegExp, wanted: RegExp): Promise<void> => {
      await page.getByRole('radio', { name: /Casey Morgan/ }).check();
      await press(page, 'Sign in');
      await page.getByRole('checkbox', { name: other }).uncheck();
      await page.getByRole('checkbox', { name: wanted }).check();
      await press(page, 'Share');
    };
    await pick(/Rimu Bank/, /Harakeke Bank/);
    const card = page.getByRole('article', { name: 'Harakeke Bank', exact: true });
    await card.getByText('Harakeke Bank was linked, not Rimu Bank').waitFor();
    await card.getByRole('link', { name: 'Harakeke Bank' }).click();
    await page.getByRole('heading', { name: 'Harakeke Bank', level: 1 }).waitFor();
    await press(page, 'Link Rimu Bank');
    await page.waitForURL(/\/link\//);
    await press(page, 'Continue');
    await pick(/Harakeke Bank/, /Rimu Bank/);
    await page.getByRole('article', { name: 'Rimu Bank', exact: true }).waitFor();
    await card.waitFor();
    assert.equal(await page.getByText('Harakeke Bank was linked, not Rimu Bank').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});

/** How a visit to a vendor ends without a connection, and what the person reads. */
const ENDINGS: readonly {
  readonly what: string;
  readonly institution: string;
  readonly atVendor: (page: Page) => Promise<void>;
  readonly words: string;
}[] = [
  {
    what: 'refused at a bank in New Zealand',
    institution: 'Kauri Savings',
    atVendor: async (page) => {
      await press(page, 'Sign in');
      await page.getByRole('button', { name: 'Deny' }).first().click();
    },
    words: 'Access was refused at Akahu. Nothing was shared.',
  },
  {
    what: 'broken off at a broker',
    institution: 'Sandbox Brokerage',
    atVendor: async (page) => {
      await press(page, 'Log in');
      await press(page, 'Do not connect');
    },
    words: 'You cancelled. Nothing was shared.',
  },
  {
    what: 'with a wrong code at a broker',
    institution: 'Sandbox Brokerage',
    atVendor: async (page) => {
      await page.getByRole('radio', { name: /Sasha Safe/ }).check();
      await press(page, 'Log in');
      await page.getByRole('radio', { name: /A wrong one/ }).check();
      await press(page, 'Continue');
    },
    words: 'The broker could not sign you in. Nothing was shared.',
  },
  {
    what: 'with an error of an Australian bank',
    institution: 'Gumtree Mutual',
    atVendor: async (page) => {
      await page.getByText('Try what happens when it does not work').click();
      await press(page, 'Fail');
    },
    words: 'The bank reported an error of its own. Try again later.',
  },
];

describe('a person whose visit ends without a connection reads why', () => {
  for (const { what, institution, atVendor, words } of ENDINGS) {
    test(what, async () => {
      const owner = await service.owner();
      const { page, complaints, close } = await signedInAt('/connections/new', { browser, service, owner });
      await chooseAt(page, institution);
      await press(page, 'Continue');
      await page.waitForURL(/\/sandbox\//);
      await atVendor(page);
      await page.getByRole('alert').filter({ hasText: words }).waitFor();
      await page.getByRole('heading', { name: 'No bank is linked yet' }).waitFor();
      assert.deepEqual((await owner.v2('GET', '/v2/connections')).body.data, []);
      assert.deepEqual(complaints, []);
      await close();
    });
  }
});

describe('a bank that does not answer when the person comes back', () => {
  test('the person reads so, tries again, and has linked it', async () => {
    const owner = await service.owner();
    const { page, close } = await signedInAt('/connections/new', { browser, service, owner });
    await chooseAt(page, 'Gumtree Mutual');
    await press(page, 'Continue');
    await press(page, 'Log in');
    const bank = sandboxBank(service.app);
    const fault = bank.addFault({ route: 'GET /v1/consent', kind: 'unavailable', count: 9 });
    await press(page, 'Consent');
    await page.getByRole('heading', { name: 'That did not work yet' }).waitFor();
    await page.getByText('your link stays open').waitFor();
    assert.doesNotMatch(await page.getByRole('main').innerText(), /au_banking/);
    bank.removeFault(fault);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByText('Your bank is linked').waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
    await close();
  });
});

describe('without script', () => {
  test('a person links by buttons alone, and comes back with the connection', async () => {
    const owner = await service.owner();
    const institutions = await owner.v2('GET', '/v2/institutions?provider=au_banking');
    const { body: session } = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'au_banking',
      institution: institutions.body.data[0].id,
      return_url: `${service.url}/docs/limits`,
    });
    const { page, complaints } = await newVisitor(browser, { script: false });
    await page.goto(session.url);
    for (const name of ['Continue', 'Log in', 'Consent']) await press(page, name);
    await page.waitForURL(/\/docs\/limits/);
    assert.equal(new URL(page.url()).searchParams.get('link_session'), 'completed');
    const linked = await owner.v2('GET', `/v2/link_sessions/${session.id}`);
    assert.equal(linked.body.status, 'completed');
    assert.deepEqual(complaints, []);
  });
});

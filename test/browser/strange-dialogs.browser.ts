import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { type SignedInVisitor, signedInAt } from './people.ts';
import { settle } from './settle.ts';
import { strangeBankFile } from './strange-bank.ts';
import { STRANGE, type StrangeLife, strangeLife } from './strange-life.ts';

type Field = keyof typeof STRANGE;

interface Asked {
  /** Whose name is repeated. */
  readonly field: Field;
  readonly page: (ids: StrangeLife['ids']) => string;
  /** What is chosen from its menu, or another way to ask. */
  readonly by: string | ((page: Page) => Promise<void>);
  /** Where the name is: by default in a dialog. */
  readonly as?: 'dialog' | 'status' | 'alert';
  /** What else is named there. */
  readonly also?: readonly Field[];
}

const REFUSED = { status: 400, json: { error: { message: 'Not now.' } } } as const;

const at = (path: string) => () => path;

/** Everything that shows a name before or after it is changed. The change comes last. */
const ASKED: readonly Asked[] = [
  { field: 'institution', page: at('/connections'), by: 'Delete', also: ['sync'] },
  { field: 'institution', page: at('/connections'), by: 'Refresh', as: 'status' },
  { field: 'destination', page: ({ destination }) => `/destinations/${destination}`, by: 'Rename' },
  {
    field: 'destination',
    page: ({ destination }) => `/destinations/${destination}`,
    by: 'Delete',
    also: ['sync'],
  },
  { field: 'sync', page: at('/syncs'), by: 'Delete', also: ['destination'] },
  { field: 'sync', page: ({ sync }) => `/syncs/${sync}`, by: 'Pause', as: 'status' },
  { field: 'group', page: at('/categories'), by: 'Edit' },
  { field: 'group', page: at('/categories'), by: 'Delete' },
  { field: 'category', page: at('/categories'), by: 'Edit' },
  { field: 'category', page: at('/categories'), by: 'Choose codes' },
  { field: 'category', page: at('/categories'), by: 'Move to a group' },
  { field: 'category', page: at('/categories'), by: 'Delete' },
  { field: 'category', page: at('/categories'), by: 'Archive', as: 'status' },
  { field: 'ruleset', page: at('/rulesets'), by: 'Rename' },
  { field: 'ruleset', page: at('/rulesets'), by: 'Delete' },
  { field: 'rule', page: ({ ruleset }) => `/rulesets/${ruleset}`, by: 'Delete' },
  { field: 'ruleset', page: ({ ruleset }) => `/rulesets/${ruleset}`, by: 'Duplicate', as: 'status' },
  { field: 'key', page: at('/developer'), by: 'Rename' },
  { field: 'key', page: at('/developer'), by: 'Rotate' },
  { field: 'key', page: at('/developer'), by: 'Revoke' },
  { field: 'receiver', page: receiverPage, by: 'Rotate secret' },
  { field: 'receiver', page: receiverPage, by: 'Delete' },
  { field: 'receiver', page: receiverPage, by: 'Disable' },
  { field: 'receiver', page: receiverPage, by: deleteInVain, as: 'alert' },
  {
    field: 'app',
    page: at('/developer/apps'),
    by: (page) => page.getByRole('button', { name: `Disconnect ${STRANGE.app}`, exact: true }).click(),
  },
  { field: 'program', page: at('/developer/simplefin'), by: 'Edit' },
  { field: 'program', page: at('/developer/simplefin'), by: 'Revoke' },
  {
    field: 'token',
    page: at('/developer/simplefin'),
    by: (page) => page.getByRole('button', { name: 'Revoke', exact: true }).click(),
  },
];

function receiverPage({ receiver }: StrangeLife['ids']): string {
  return `/developer/event-destinations/${receiver}`;
}

async function deleteInVain(page: Page): Promise<void> {
  await page.route('**/v2/event_destinations/*', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill(REFUSED) : route.continue(),
  );
  await choose(page, STRANGE.receiver, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
}

/** For the names of the tests. */
const NOBODYS: StrangeLife['ids'] = { destination: '…', ruleset: '…', receiver: '…', sync: '…' };

let service: TestService;
let browser: Browser;
let life: StrangeLife;
let visitor: SignedInVisitor;
before(async () => {
  service = await startService({ SANDBOX_DATA: await strangeBankFile(STRANGE) });
  browser = await openChromium();
  life = await strangeLife(service);
  visitor = await signedInAt('/', { browser, service, owner: life.owner, phone: true });
});
after(async () => {
  await browser?.close();
  await service?.close();
});

describe('a strange name is shown as text and within the width of a phone where it is repeated:', () => {
  for (const { field, page: pathOf, by, as = 'dialog', also = [] } of ASKED) {
    const how = typeof by === 'string' ? by : `in ${as === 'alert' ? 'an alert' : 'a question'}`;
    test(`that of the ${field}, ${how} on ${pathOf(NOBODYS)}`, async () => {
      const { page, complaints } = visitor;
      const earlier = complaints.length;
      await page.goto(new URL(pathOf(life.ids), service.url).href);
      if (typeof by !== 'string') await by(page);
      else await choose(page, STRANGE[field], by);
      const place = page
        .getByRole(as)
        .filter(as === 'dialog' ? {} : { hasText: STRANGE[field] })
        .first();
      await place.waitFor();
      for (const one of also) await place.getByText(STRANGE[one]).first().waitFor();
      const text = await textsIn(place);
      assert.ok(text.includes(STRANGE[field]), text);
      assert.deepEqual(await page.evaluate(TOO_WIDE), []);
      assert.equal(await page.evaluate('window.ran'), undefined);
      // The browser itself reports the answer of 400.
      const others = complaints.slice(earlier).filter((words) => !words.includes('400'));
      assert.deepEqual(others, []);
    });
  }
});

/** Chooses from the menu of what has the name. */
async function choose(page: Page, name: string, item: string): Promise<void> {
  const opener = page.getByRole('button', { name: /^Actions for/ });
  await opener.and(page.getByLabel(name)).first().click();
  const menu = page.getByRole('menu');
  await menu.waitFor();
  await settle(page);
  assert.deepEqual(await page.evaluate(TOO_WIDE), []);
  await menu.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Elements that are wider than their visible part, except texts for screen readers. */
const TOO_WIDE = `[...document.querySelectorAll('html, dialog[open], [role=menu], [role=status], [role=alert]')]
  .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth)
  .map((one) => one.outerHTML.slice(0, 160))`;

/** What the place shows, in its fields as well. */
async function textsIn(place: Locator): Promise<string> {
  const fields = await place.getByRole('textbox').all();
  return [await place.innerText(), ...(await Promise.all(fields.map((one) => one.inputValue())))].join(' ');
}

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startService, type TestService } from '../support/service.ts';
import { openChromium } from './chromium.ts';
import { type FullLife, fullLife } from './full-life.ts';
import { type HeldAnswers, holdAnswers } from './held-answers.ts';
import { addressOf, PAGES_WITH_DATA, type PageWithData } from './pages-with-data.ts';
import { type SignedInVisitor, signedInAt } from './people.ts';

/** The cumulative layout shift that a page may have: half of what https://web.dev/articles/cls calls good. */
const MOST_SHIFT = 0.05;
/** By how many pixels the part below the heading may move when the answers arrive. */
const MOST_JUMP = 8;

/** Sums how much the layout of a document has shifted, and records what did. */
const WATCH = `
  window.shifted = 0;
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.shifted += value;
      window.shifts.push([value, ...sources.map(({ node }) => node?.textContent?.slice(0, 40))].join(' '));
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;
const BELOW_HEADING = `document.querySelector('main header').getBoundingClientRect().bottom`;

let service: TestService;
let browser: Browser;
let life: FullLife;
interface Visitor extends SignedInVisitor {
  readonly by: string;
  readonly answers: HeldAnswers;
}

let visitors: readonly Visitor[];
before(async () => {
  service = await startService();
  browser = await openChromium();
  life = await fullLife(service);
  visitors = await Promise.all(
    [false, true].map(async (phone) => {
      const visitor = await signedInAt('/categories', { browser, service, owner: life.owner, phone });
      await visitor.page.addInitScript(WATCH);
      const answers = await holdAnswers(visitor.page);
      return { ...visitor, by: phone ? 'on a phone' : 'on a desk', answers };
    }),
  );
});
after(async () => {
  await browser?.close();
  await service?.close();
});

const numberOf = async (page: Page, expression: string) => Number(await page.evaluate(expression));

/** Opens the page while nothing is answered, checks it, and again once everything is, `released` in some order. */
async function open(
  { page, answers, by }: Visitor,
  name: string,
  opened: PageWithData,
  released: 'at once' | 'in turn',
): Promise<string> {
  const all = opened.shown(page, life.ids).first();
  const waits = opened.waits !== false;
  answers.hold();
  await page.goto(new URL(addressOf(name, opened, life.ids), service.url).href);
  const loading = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' });
  await (waits ? loading.first() : all).waitFor();
  assert.equal(await all.isVisible(), !waits, `${by}, before the answers`);
  const before = await numberOf(page, BELOW_HEADING);
  if (released === 'at once') answers.release();
  else await answers.releaseInTurn();
  await all.waitFor();
  await answers.quiet();
  assert.equal(await loading.count(), 0, by);
  const jump = (await numberOf(page, BELOW_HEADING)) - before;
  assert.ok(Math.abs(jump) <= MOST_JUMP, `${by}, what is below the heading jumps by ${jump} px`);
  const shift = await numberOf(page, 'window.shifted');
  const moved = await page.evaluate('window.shifts.join("; ")');
  assert.ok(shift <= MOST_SHIFT, `${by}, the layout shifts by ${shift}: ${moved}`);
  return `${by} it shifts by ${shift.toFixed(3)}`;
}

describe('a page says that it loads while its data is on the way, and nothing moves when that comes:', () => {
  for (const [name, opened] of Object.entries(PAGES_WITH_DATA)) {
    test(name, async (t) => {
      const seen = await Promise.all(visitors.map((visitor) => open(visitor, name, opened, 'at once')));
      t.diagnostic(seen.join(', '));
    });
    test(`${name}, one answer after another, the first last`, async (t) => {
      const seen = await Promise.all(visitors.map((visitor) => open(visitor, name, opened, 'in turn')));
      t.diagnostic(seen.join(', '));
    });
  }
});

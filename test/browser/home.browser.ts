import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { sumOf, valueText } from '../../web/src/format/decimals.ts';
import { decimalText, moneyText } from '../../web/src/format/money.ts';
import { until } from '../features/linking/person.ts';
import { sandboxBank } from '../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { draftAt, runOnce } from './destination-lives.ts';
import { debtor, endConsentIn, failedSync, investor, linkAnother, linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';
import { sheetWithRun } from './sync-lives.ts';

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

describe('home in the web application', () => {
  test('it shows every balance as v2 has it, and what they come to in each currency', async () => {
    const owner = await linkedOwner(service, { customer: 'mortgage-offset' });
    await linkAnother(owner, { customer: 'foreign-currency' });
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('Balances in AUD, less what is owed').waitFor();
    const accounts = (await owner.v2('GET', '/v2/accounts')).body.data;
    const query = accounts.map(({ id }: { id: string }) => `account=${id}`).join('&');
    const { data } = (await owner.v2('GET', `/v2/balances?${query}`)).body;
    assert.equal(data.length, 4);
    const sums = new Map<string, bigint>();
    for (const { current } of data) {
      const text = moneyText(BigInt(current.amount), current.currency);
      await page.getByText(text, { exact: true }).first().waitFor();
      sums.set(current.currency, (sums.get(current.currency) ?? 0n) + BigInt(current.amount));
    }
    const card = page.getByRole('region', { name: 'Balances' });
    for (const [currency, sum] of sums)
      await card.locator('dd').getByText(moneyText(sum, currency), { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a card that is linked twice is said to be, and counts once in what there is, is spent and recurs', async () => {
    const owner = await linkedOwner(service, { customer: 'credit-card' });
    const card = owner.connection.accounts[0];
    const once = await signedInAt('/recurring', { browser, service, owner });
    const series = once.page.getByRole('main').getByRole('listitem');
    await series.first().waitFor();
    const count = await series.count();
    await once.close();
    const second = await linkAnother(owner, { customer: 'credit-card' });
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const needs = page.getByRole('region', { name: 'Needs you' });
    await needs.getByText('Low Rate Card is linked twice', { exact: true }).waitFor();
    await needs.getByText(/Totals count it once. Delete this second connection/).waitFor();
    const { data } = (await owner.v2('GET', `/v2/balances?account=${card.id}`)).body;
    const text = moneyText(BigInt(data[0].current.amount), 'aud');
    const balances = page.getByRole('region', { name: 'Balances' });
    await balances.locator('dd').getByText(text, { exact: true }).waitFor();
    assert.equal(await balances.getByText(/linked twice, counted once/).count(), 1);
    const slider = page.getByRole('slider', { name: /^Net worth in AUD/ });
    assert.ok((await slider.getAttribute('aria-valuetext'))?.endsWith(text));
    await page.goto(`${service.url}/recurring`);
    const again = page.getByRole('main').getByRole('listitem');
    await again.first().waitFor();
    assert.equal(await again.count(), count);
    await page.goto(`${service.url}/connections?link_session=completed&provider=au_banking`);
    await page.getByText('These accounts are already linked', { exact: true }).waitFor();
    await page.getByText('Linked twice', { exact: true }).waitFor();
    await page.goto(`${service.url}/accounts/${second.accounts[0].id}`);
    await page.getByRole('link', { name: 'The other Low Rate Card counts in totals' }).click();
    await page.waitForURL(`${service.url}/accounts/${card.id}`);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('investments are valued as v2 has them, and the net worth is them and the bank accounts of their currency', async () => {
    const owner = await investor(service, 'self-directed');
    const bank = await linkAnother(owner, { customer: 'foreign-currency' });
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const held = await Promise.all(
      owner.connection.accounts.map(({ id }: Json) =>
        owner.v2('GET', `/v2/holdings?account=${id}&limit=100`),
      ),
    );
    const value = sumOf(held.flatMap(({ body }) => body.data.map((one: Json) => one.market_value_decimal)));
    const query = bank.accounts.map(({ id }: Json) => `account=${id}`).join('&');
    const balances = (await owner.v2('GET', `/v2/balances?${query}`)).body.data;
    const banked = balances
      .filter(({ current }: Json) => current.currency === 'usd')
      .map(({ current }: Json) => decimalText(BigInt(current.amount), current.currency));
    assert.ok(banked.length > 0);
    const card = page.getByRole('region', { name: 'Investments' });
    const figure = (name: string) => card.locator(`dt:has-text("${name} · USD") + dd`).innerText();
    assert.equal(await figure('Market value'), valueText(value, 'usd'));
    const worth = page.getByRole('region', { name: 'Net worth' });
    const total = worth.locator('dt:has-text("Net worth · USD") + dd');
    assert.equal(await total.innerText(), valueText(sumOf([value, ...banked]), 'usd'));
    await worth.getByText('With investments at what they are worth now').waitFor();
    await worth.getByText('JPY is shown separately, because no exchange rate to USD is set.').waitFor();
    const allocation = card.getByRole('list', { name: 'Allocation by position, in USD' });
    assert.equal(await allocation.getByRole('listitem').count(), 4);
    await card.getByRole('link', { name: 'See holdings' }).click();
    await page.getByRole('heading', { name: 'Holdings', level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('where a broker cannot be read, its account says so, and the net worth says that it is without it', async () => {
    const owner = await investor(service, 'self-directed');
    await linkAnother(owner, { customer: 'foreign-currency' });
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    await refuse(page, `**/v2/holdings?*${owner.connection.accounts[0].id}*`, {
      status: 400,
      json: { error: { message: 'Refused.' } },
    });
    await page.getByRole('link', { name: 'Home' }).click();
    const card = page.getByRole('region', { name: 'Investments' });
    await card.getByText('Cannot be read now').waitFor();
    await card.getByText('Market value · USD').waitFor();
    await page.getByText('Balances in USD, less what is owed').waitFor();
    const [{ name }] = (await owner.v2('GET', '/v2/accounts')).body.data.filter(
      ({ id }: Json) => id === owner.connection.accounts[0].id,
    );
    await page
      .getByRole('region', { name: 'Net worth' })
      .getByText(`Without ${name}, which cannot be read now.`)
      .waitFor();
    await close();
  });

  test('a plan without brokerage asks the broker nothing', async () => {
    const owner = await investor(service, 'self-directed');
    await service.app.services.accountRecords.update(owner.record.id, { plan: 'saver' });
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    await page
      .getByRole('region', { name: 'Investments' })
      .getByText('Your plan does not include brokerage data')
      .waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('what needs attention has one action each: a failed sync runs again, a consent is renewed at the bank', async () => {
    const owner = await linkedOwner(service);
    await endConsentIn(service, owner.connection, 3.5);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    await page.getByText('2 items', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Home 2 items need you' }).waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await until(
      async () => (await owner.v2('GET', `/v2/syncs/${sync.id}?include[]=latest_run`)).body,
      ({ latest_run: run }) => run.id !== sync.latest_run.id && run.trigger === 'dashboard',
    );
    await page.getByText('Nothing new').waitFor();
    await page.getByText('The consent ends in 3 days').waitFor();
    await page.getByRole('button', { name: 'Reauthorise' }).click();
    await page.waitForURL(/\/link\//);
    await close();
  });

  test('a row that a sync set aside is listed with the way to what is wrong with it, until a run delivers it', async () => {
    const owner = await linkedOwner(service);
    const bank = sandboxBank(service.app);
    bank.addMisbehaviour({ name: 'amount_missing', count: 1 });
    const { sync, run } = await sheetWithRun(owner, [owner.connection.accounts[0].id]);
    bank.clearMisbehaviours();
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const needs = page.getByRole('region', { name: 'Needs you' });
    await needs.getByText('1 row of the last run could not be delivered').waitFor();
    await needs.getByRole('link', { name: 'See why' }).click();
    await page.waitForURL(`**/sync-runs/${run.id}`);
    await page.getByRole('heading', { name: 'Rejected rows' }).waitFor();
    const badge = page.getByRole('link', { name: 'Home 1 item needs you' });
    await page.getByRole('button', { name: 'Stop listing them on Home' }).click();
    await badge.waitFor({ state: 'detached' });
    // The keys undo once the offer is there.
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('Control+z');
    await badge.waitFor();
    const { counts } = await runOnce(owner, sync);
    assert.equal(counts.rejected, 0);
    await page.getByRole('link', { name: 'Home' }).first().click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await needs.waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an open Home follows what happens, also what happens while it is opened, or while another page is', async () => {
    const owner = await linkedOwner(service);
    const bank = sandboxBank(service.app);
    const run = async ({ delivers }: { readonly delivers: boolean }) => {
      if (!delivers) bank.addMisbehaviour({ name: 'amount_missing', count: 1 });
      const { id, counts } = await runOnce(owner, sync);
      bank.clearMisbehaviours();
      assert.equal(counts.rejected, delivers ? 0 : 1);
      // Streams are told together with those who list events.
      await until(
        async () => (await owner.v2('GET', '/v2/events?limit=5')).body.data,
        (events) =>
          events.some(({ type, related_object: of }: Json) => type === 'sync_run.succeeded' && of.id === id),
      );
    };
    const { sync } = await sheetWithRun(owner, [owner.connection.accounts[0].id]);
    const { page, complaints, close } = await signedInAt('/developer/events', { browser, service, owner });
    await page.getByText('Live', { exact: true }).waitFor();
    const answered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route(
      '**/v2/syncs?*',
      async (route) => {
        const response = await route.fetch();
        answered.resolve();
        await released.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    await page.getByRole('link', { name: 'Home' }).first().click();
    await answered.promise;
    await run({ delivers: false });
    released.resolve();
    const needs = page.getByRole('region', { name: 'Needs you' });
    await needs.getByText('1 row of the last run could not be delivered').waitFor();

    await run({ delivers: true });
    await needs.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Categories', exact: true }).click();
    await page.getByRole('heading', { name: 'Categories', level: 1 }).waitFor();
    await run({ delivers: false });
    await page.getByRole('link', { name: 'Home' }).first().click();
    await needs.getByText('1 row of the last run could not be delivered').waitFor();
    assert.deepEqual(complaints, []);
    await close();
  });

  test('more than a few needs are shown when asked for', async () => {
    const owner = await linkedOwner(service);
    for (let at = 0; at < 6; at++) await draftAt(owner, 'ynab');
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const needs = page.getByRole('region', { name: 'Needs you' });
    await needs.getByText('6 items').waitFor();
    const showAll = needs.getByRole('button', { name: 'Show all 6' });
    await showAll.waitFor();
    assert.equal(await needs.getByRole('listitem').count(), 5);
    await showAll.click();
    await needs.getByRole('listitem').nth(5).waitFor();
    await needs.getByRole('link', { name: 'Finish' }).first().click();
    await page.waitForURL(/\/destinations\/dest_/);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('where balances cannot be loaded, the rest of the page is there', async () => {
    const owner = await linkedOwner(service);
    const { page, close } = await signedInAt('/connections', { browser, service, owner });
    const refused = await refuse(page, '**/v2/balances?**', {
      status: 400,
      json: { error: { message: 'Refused.', code: 'parameter_invalid' } },
    });
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('These charts need the balances').waitFor();
    assert.equal(await page.getByRole('alert').filter({ hasText: 'Refused.' }).count(), 1);
    await page.getByRole('heading', { name: 'Recent runs' }).waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }).first());
    await page.getByText('Balances in AUD, less what is owed').waitFor();
    await close();
  });

  test('a loan that the bank shows as positive is asked about once: the answer is kept, and the balance has its sign from then on', async () => {
    const owner = await debtor(service);
    const { page, complaints, close } = await signedInAt('/', { browser, service, owner });
    const question = page.getByText('Is this what you owe, or is it in credit?');
    await question.waitFor();
    const { loan, balances } = await debtsOf(owner);
    assert.equal(await question.count(), 1, 'of two loans and two cards, one is in question');
    const asked = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem');
    const row = page
      .getByRole('region', { name: 'Balances' })
      .getByRole('listitem')
      .filter({ hasText: loan.name })
      .filter({ hasText: loan.institution.name });
    await row.getByText('Not counted yet').waitFor();
    const sent = balances.find(({ account }: Json) => account === loan.id).current;
    assert.ok(sent.amount > 0);
    for (const place of [asked, row])
      await place.getByText(moneyText(BigInt(sent.amount), sent.currency), { exact: true }).waitFor();
    const others = balances.filter(({ account }: Json) => account !== loan.id);
    const card = page.getByRole('region', { name: 'Balances' });
    await card.locator('dd').getByText(netOf(others), { exact: true }).waitFor();

    await asked.getByRole('button', { name: `I owe this: ${loan.name}`, exact: true }).click();
    const owed = moneyText(-BigInt(sent.amount), sent.currency);
    const shown = async () => {
      await row.getByText(owed, { exact: true }).waitFor();
      await question.waitFor({ state: 'detached' });
      const { balances: now } = await debtsOf(owner);
      await card.locator('dd').getByText(netOf(now), { exact: true }).waitFor();
    };
    await shown();
    const { loan: stored } = await debtsOf(owner);
    assert.equal(stored.balance_sign, 'owed');
    await page.reload();
    await shown();
    assert.equal(await question.count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an answer about the sign of a balance that was not saved says so, and can be given again', async () => {
    const owner = await debtor(service);
    const { page, close } = await signedInAt('/', { browser, service, owner });
    const inCredit = page.getByRole('button', { name: 'It is in credit' });
    await inCredit.waitFor();
    const { loan } = await debtsOf(owner);
    const path = `**/v2/accounts/${loan.id}`;
    await page.route(path, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await inCredit.click();
    await page.getByText('The answer was not saved').waitFor();
    await page.unroute(path);
    await inCredit.click();
    await page.getByText('Is this what you owe, or is it in credit?').waitFor({ state: 'detached' });
    assert.equal((await debtsOf(owner)).loan.balance_sign, 'in_credit');
    await close();
  });
});

/** The loan at that bank, and the balance of every account. */
async function debtsOf(
  owner: TestOwner,
): Promise<{ readonly loan: Json; readonly balances: readonly Json[] }> {
  const accounts: Json[] = (await owner.v2('GET', '/v2/accounts')).body.data;
  const query = accounts.map(({ id }) => `account=${id}`).join('&');
  const { data } = (await owner.v2('GET', `/v2/balances?${query}`)).body;
  const loan = accounts.find(({ type, balance_sign: sign }) => type === 'loan' && sign !== null);
  return { loan: loan ?? assert.fail('no loan is in question'), balances: data };
}

/** The sum of balances in one currency, as the page shows it. */
function netOf(balances: readonly Json[]): string {
  const sum = balances.reduce((total, { current }) => total + BigInt(current.amount), 0n);
  return moneyText(sum, balances[0]?.current.currency);
}

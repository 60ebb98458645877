import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { until } from '../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../support/service.ts';
import type { Json } from '../support/v2-client.ts';
import { openChromium } from './chromium.ts';
import { failedSync, linkedOwner } from './lives.ts';
import { signedInAt } from './people.ts';
import { refuse } from './refusals.ts';
import { addRuleset } from './rulesets.ts';
import { settle } from './settle.ts';

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

const HOSTILE = '<img src=x onerror="document.title=\'taken\'"> & <b>bold</b>';

function opened(owner: TestOwner, path: string) {
  return signedInAt(path, { browser, service, owner });
}

async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

async function rulesOf(owner: TestOwner, ruleset: string): Promise<Json[]> {
  return (await owner.v2('GET', `/v2/rulesets/${ruleset}?include[]=rules`)).body.rules;
}

/** Chooses the account in the preview and runs it; the account's everyday one has debits and credits. */
async function preview(page: Page, label: RegExp): Promise<void> {
  const account = page.getByLabel('Account', { exact: true });
  const wanted = account.locator('option').filter({ hasText: label }).first();
  await wanted.waitFor({ state: 'attached' });
  await account.selectOption({ label: await wanted.innerText() });
  await page.getByRole('button', { name: /^Preview/ }).click();
  await page.getByText('Matches by rule').waitFor();
}

describe('rulesets in the web application', () => {
  test('a ruleset is created, renamed, turned off, duplicated and deleted', async () => {
    const owner = await service.owner();
    const { page, complaints, close } = await opened(owner, '/rulesets');
    await page.getByText('You have no rules yet').waitFor();
    await page.getByRole('button', { name: 'New ruleset' }).first().click();
    await page.getByLabel('Name').fill('Household');
    await page.getByRole('button', { name: 'Create ruleset' }).click();
    await page.getByRole('heading', { name: 'Household', level: 1 }).waitFor();
    await page.getByText('No rules yet').waitFor();
    await choose(page, 'Household', 'Rename');
    await page.getByRole('textbox', { name: 'Name' }).fill('Home');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await choose(page, 'Home', 'Turn off');
    await page.getByText('This ruleset is off').waitFor();
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByText('Off', { exact: true }).waitFor();
    await choose(page, 'Home', 'Duplicate');
    await page.getByRole('status').filter({ hasText: 'Copy of Home is created' }).waitFor();
    await choose(page, 'Home', 'Delete');
    await page.getByRole('dialog', { name: 'Delete Home?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').filter({ hasText: 'Home is deleted' }).waitFor();
    const { body } = await owner.v2('GET', '/v2/rulesets');
    assert.deepEqual(
      body.data.map(({ name }: Json) => name),
      ['Copy of Home'],
    );
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a rule is built, read out, tried on real rows before it is saved, and then it is there', async () => {
    const owner = await linkedOwner(service);
    const ruleset = await addRuleset(owner);
    const { page, complaints, close } = await opened(owner, `/rulesets/${ruleset.id}`);
    await page.getByRole('link', { name: 'Add a rule' }).click();
    await page.getByRole('heading', { name: 'New rule', level: 1 }).waitFor();
    await page.getByLabel('Field').selectOption('direction');
    await page.getByLabel('Value').selectOption('money out');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const second = page.getByRole('group', { name: 'Condition 2' });
    await second.getByLabel('Field').selectOption('amount');
    await second.getByLabel('Comparison').selectOption('is at least');
    await second.getByLabel('Value').fill('40');
    await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: '🛍 Shopping' });
    await page.getByRole('button', { name: 'Add an action' }).click();
    await page.getByLabel('Tag').fill('large');
    await page
      .getByText(
        'When it is money out and amount is at least 40, set the category to Shopping and add the tag “large”.',
      )
      .waitFor();
    await preview(page, /^Everyday/);
    const rows = page.getByRole('list', { name: 'Transactions before and after' }).getByRole('listitem');
    const { rules, totals } = (
      await owner.v2('POST', `/v2/rulesets/${ruleset.id}/preview`, {
        account: await page.getByLabel('Account', { exact: true }).inputValue(),
        from: await page.getByLabel('From').inputValue(),
        include_pending: true,
        rules: [
          ...(
            await rulesOf(owner, ruleset.id)
          ).map(({ name, enabled, conditions, actions, stop }) => ({
            name,
            enabled,
            conditions,
            actions,
            stop,
          })),
          {
            conditions: {
              all: [
                { field: 'direction', operator: 'equals', value: 'debit' },
                { field: 'amount', operator: 'gte', value: '40' },
              ],
            },
            actions: [{ type: 'add_tag', value: 'large' }],
          },
        ],
      })
    ).body;
    assert.ok(rules[3].hits > 0, 'the account has rows that the rule matches');
    assert.ok(totals.skipped > 0, 'and rows that another rule skips');
    assert.equal(await rows.count(), rules[3].hits);
    const recategorised = rows.filter({ hasText: 'Category' }).first();
    assert.match(await recategorised.innerText(), /Category\s+.*→?\s*Shopping/s);
    assert.match(await rows.first().innerText(), /Tags\s+None\s*→?\s*large/);
    await page.getByLabel('Show').selectOption('All');
    assert.equal(await rows.count(), totals.rows);
    assert.equal(await rows.getByText('Skipped', { exact: true }).count(), totals.skipped);
    const hits = page.getByRole('row', { name: /Rule 4 \(This rule\)/ });
    assert.match(await hits.innerText(), new RegExp(`\\s${rules[3].hits}$`));
    assert.equal((await rulesOf(owner, ruleset.id)).length, 3, 'a preview saves nothing');
    await second.getByLabel('Value').fill('50');
    await page.getByText('The rule has changed since this preview.').waitFor();
    await page.getByLabel('Name').fill('Large purchases');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('link', { name: 'Large purchases' }).waitFor();
    const saved = (await rulesOf(owner, ruleset.id)).at(-1);
    assert.equal(saved?.conditions.all[1].value, '50');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a nested rule is opened, and saved without a change it is the same', async () => {
    const owner = await linkedOwner(service);
    const { body: ruleset } = await owner.v2('POST', '/v2/rulesets', { name: 'Nested' });
    const conditions = {
      all: [
        { not: { any: [{ field: 'status', operator: 'equals', value: 'pending' }] } },
        { field: 'description', operator: 'in', value: ['a', 'b, c'], case_sensitive: true },
        { field: 'date', operator: 'between', value: ['2026-01-01', '2026-02-01'] },
        { field: 'merchant_name', operator: 'is_empty' },
        { field: 'account', operator: 'not_in', value: [owner.connection.accounts[0].id] },
      ],
    };
    const actions = [
      { type: 'replace_text', field: 'reference', find: 'x', value: '' },
      { type: 'flip_sign' },
      { type: 'set_memo', value: 'note' },
    ];
    const added = await owner.v2('POST', `/v2/rulesets/${ruleset.id}/rules`, {
      name: 'Deep',
      conditions,
      actions,
    });
    assert.equal(added.status, 200, JSON.stringify(added.body));
    const { page, close } = await opened(owner, `/rulesets/${ruleset.id}`);
    await page.getByRole('link', { name: 'Deep' }).click();
    await page.getByRole('heading', { name: 'Edit Deep' }).waitFor();
    await page.getByRole('list', { name: 'Values' }).first().getByText('b, c').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Nested', level: 1 }).waitFor();
    const [saved] = await rulesOf(owner, ruleset.id);
    assert.deepEqual(saved?.conditions, added.body.conditions);
    assert.deepEqual(saved?.actions, added.body.actions);
    await close();
  });

  test('a pattern that the service refuses is marked at its field, in a preview and when it is saved', async () => {
    const owner = await linkedOwner(service);
    const ruleset = await addRuleset(owner);
    const { page, close } = await opened(owner, `/rulesets/${ruleset.id}?rule=new`);
    await page.getByLabel('Comparison').selectOption('matches the pattern');
    const value = page.getByLabel('Value');
    await value.fill('coffee(');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The preview did not work' }).waitFor();
    assert.equal(await value.getAttribute('aria-invalid'), 'true');
    assert.equal(await page.locator(':focus').inputValue(), 'coffee(');
    await page.getByText(/^Error parsing regexp: missing closing \)/).waitFor();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('alert').filter({ hasText: 'The rule was not saved' }).waitFor();
    await page.getByText(/^Error parsing regexp: missing closing \)/).waitFor();
    await value.fill('coffee');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('link', { name: 'Rule 4' }).waitFor();
    await close();
  });

  test('a ruleset that is full refuses one more rule and says so', async () => {
    const owner = await service.owner();
    const { body: ruleset } = await owner.v2('POST', '/v2/rulesets', { name: 'Full' });
    for (let at = 0; at < 50; at++) {
      await owner.v2('POST', `/v2/rulesets/${ruleset.id}/rules`, {
        conditions: null,
        actions: [{ type: 'add_tag', value: `tag ${at}` }],
      });
    }
    const { page, close } = await opened(owner, `/rulesets/${ruleset.id}?rule=new`);
    await page.getByLabel('Value').fill('coffee');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const problem = page.getByRole('alert').filter({ hasText: 'The rule was not saved' });
    const link = problem.getByRole('link', { name: 'What this means' });
    assert.match((await link.getAttribute('href')) ?? '', /#rule_limit_reached$/);
    await close();
  });

  test('rules are dragged by keyboard and by menu, switched off and deleted', async () => {
    const owner = await service.owner();
    const ruleset = await addRuleset(owner);
    const { page, complaints, close } = await opened(owner, `/rulesets/${ruleset.id}`);
    const said = page.locator('[role=status][aria-live=assertive]');
    const stored = () => page.waitForResponse((answer) => answer.request().method() !== 'GET');
    const names = async () => (await rulesOf(owner, ruleset.id)).map(({ name }) => name);
    await page.getByRole('button', { name: 'Move Never' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.equal(await said.innerText(), 'Rule 1 of 3.');
    let next = stored();
    await page.keyboard.press('Enter');
    await next;
    assert.deepEqual(await names(), ['Never', 'Money in is salary', null]);
    next = stored();
    await choose(page, 'Never', 'Move down');
    await next;
    assert.deepEqual(await names(), ['Money in is salary', 'Never', null]);
    next = stored();
    await page.getByRole('switch', { name: 'Use Never' }).uncheck();
    await next;
    assert.deepEqual(
      (await rulesOf(owner, ruleset.id)).map(({ enabled }) => enabled),
      [true, false, true],
    );
    await choose(page, 'Never', 'Delete');
    next = stored();
    await page.getByRole('dialog', { name: 'Delete Never?' }).getByRole('button', { name: 'Delete' }).click();
    await next;
    assert.deepEqual(await names(), ['Money in is salary', null]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    const [, again] = await rulesOf(owner, ruleset.id);
    assert.deepEqual([again?.name, again?.enabled], ['Never', false], 'at its place, as it was');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a switch shows what was chosen at once, and keeps it while earlier changes are stored', async () => {
    const owner = await service.owner();
    const ruleset = await addRuleset(owner);
    const { page, complaints, close } = await opened(owner, `/rulesets/${ruleset.id}`);
    const later = page.getByRole('switch', { name: 'Use Never' });
    await later.waitFor();
    await page.evaluate(RECORD_SWITCH);
    const { promise: chosen, resolve: choseBoth } = Promise.withResolvers<void>();
    await page.route(`**/v2/rulesets/${ruleset.id}/rules/**`, async (route) => {
      await chosen;
      await route.continue();
    });
    // Either fails if the switch still shows its old state.
    await page.getByRole('switch', { name: 'Use Money in is salary' }).uncheck();
    await later.uncheck();
    const read = page.waitForResponse(
      (answer) => answer.url().includes(`${ruleset.id}?`) && answer.request().method() === 'GET',
    );
    choseBoth();
    await until(
      () => rulesOf(owner, ruleset.id),
      (rules) => rules.filter(({ enabled }) => enabled).length === 1,
    );
    await read;
    await settle(page);
    assert.deepEqual(await page.evaluate('recorded'), ['false']);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a question about a rule goes on naming it while the rules are read again', async () => {
    const owner = await service.owner();
    const ruleset = await addRuleset(owner);
    const { page, complaints, close } = await opened(owner, `/rulesets/${ruleset.id}`);
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    await page.getByRole('link', { name: 'Never' }).waitFor();
    await page.route(`**/v2/rulesets/${ruleset.id}?*`, async (route) => {
      await asked;
      await route.continue();
    });
    const read = page.waitForResponse(
      (answer) => answer.url().includes(`${ruleset.id}?`) && answer.request().method() === 'GET',
    );
    await page.getByRole('switch', { name: 'Use Never' }).uncheck();
    await choose(page, 'Never', 'Delete');
    const question = page.getByRole('dialog', { name: 'Delete Never?' });
    await question.waitFor();
    ask();
    await read;
    await settle(page);
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name: 'Never' }).waitFor({ state: 'detached' });
    assert.deepEqual(complaints, []);
    await close();
  });

  test('an order that no longer fits the rules is taken back, with the reason', async () => {
    const owner = await service.owner();
    const ruleset = await addRuleset(owner);
    const { page, close } = await opened(owner, `/rulesets/${ruleset.id}`);
    await page.getByRole('link', { name: 'Never' }).waitFor();
    const [first] = await rulesOf(owner, ruleset.id);
    await owner.v2('DELETE', `/v2/rulesets/${ruleset.id}/rules/${first?.id}`);
    await choose(page, 'Never', 'Move up');
    await page.getByRole('alert').filter({ hasText: 'was not moved' }).waitFor();
    await page.getByRole('link', { name: 'Money in is salary' }).waitFor({ state: 'detached' });
    await close();
  });

  test('a sync uses one ruleset: choosing another says what it replaces', async () => {
    const owner = await linkedOwner(service);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const first = await addRuleset(owner, 'First rules');
    const second = await addRuleset(owner, 'Second rules');
    await owner.v2('POST', `/v2/syncs/${sync.id}/rulesets`, { rulesets: [first.id] });
    const { page, complaints, close } = await opened(owner, `/rulesets/${second.id}`);
    await page.getByText('Uses First rules now, which this replaces').waitFor();
    const attached = async () => (await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.rulesets;
    const box = page.getByRole('checkbox', { name: 'Household ledger' });
    await box.click();
    await page.getByText(/^Latest run .* processed, 0 skipped by rules$/).waitFor();
    assert.deepEqual(await attached(), [second.id]);
    const detached = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await box.click();
    await detached;
    assert.deepEqual(await attached(), []);
    assert.deepEqual(complaints, []);
    await close();
  });

  test('markup in rules, names and descriptions stays text', async () => {
    const owner = await service.owner();
    const { body: ruleset } = await owner.v2('POST', '/v2/rulesets', { name: HOSTILE, description: HOSTILE });
    await owner.v2('POST', `/v2/rulesets/${ruleset.id}/rules`, {
      name: HOSTILE,
      conditions: { field: 'description', operator: 'contains', value: HOSTILE },
      actions: [{ type: 'set_description', value: HOSTILE }],
    });
    const { page, complaints, close } = await opened(owner, `/rulesets/${ruleset.id}`);
    await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
    await page.getByText(`When description contains “${HOSTILE}”`).waitFor();
    await page.getByRole('link', { name: HOSTILE }).click();
    await page.getByRole('heading', { name: `Edit ${HOSTILE}` }).waitFor();
    assert.equal(await page.locator('main img, main b').count(), 0);
    assert.notEqual(await page.title(), 'taken');
    assert.deepEqual(complaints, []);
    await close();
  });

  test('a missing ruleset is reported, and so is a service that does not answer', async () => {
    const owner = await service.owner();
    const { page, close } = await opened(owner, '/rulesets/rset_nothing');
    await page.getByRole('alert').getByRole('link', { name: 'What this means' }).waitFor();
    const refused = await refuse(page, '**/v2/rulesets?**', null);
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await page.getByText('The service does not answer.').waitFor();
    await refused.passAfter(page.getByRole('button', { name: 'Try again' }));
    await page.getByText('You have no rules yet').waitFor();
    await close();
  });
});

/** Keeps every state that the switch of the last rule goes through. */
const RECORD_SWITCH = `
  recorded = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) recorded.push(target.getAttribute('aria-checked'));
  }).observe(document.querySelector('[role=switch][aria-label="Use Never"]'), { attributeFilter: ['aria-checked'] });
`;

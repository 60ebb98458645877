import { failedSync, linkedOwner } from '../lives.ts';
import { addRuleset } from '../rulesets.ts';
import { type Scenes, sceneAt } from './scene.ts';

export const RULES_SCENES: Scenes = {
  'rulesets-empty': sceneAt('/rulesets', async (service) => ({
    owner: await service.owner(),
    ready: (page) => page.getByText('You have no rules yet').waitFor(),
  })),
  rulesets: sceneAt('/rulesets', async (service) => {
    const owner = await linkedOwner(service);
    const sync = await failedSync(owner, [owner.connection.accounts[0].id]);
    const ruleset = await addRuleset(owner);
    await owner.v2('POST', `/v2/syncs/${sync.id}/rulesets`, { rulesets: [ruleset.id] });
    const { body: copy } = await owner.v2('POST', `/v2/rulesets/${ruleset.id}/duplicate`);
    await owner.v2('POST', `/v2/rulesets/${copy.id}`, { enabled: false });
    return {
      owner,
      ready: (page) => page.getByText('Used by Household ledger').waitFor(),
    };
  }),
  ruleset: sceneAt('/rulesets/:id', async (service) => {
    const owner = await linkedOwner(service);
    await failedSync(owner, [owner.connection.accounts[0].id]);
    const ruleset = await addRuleset(owner);
    return {
      owner,
      path: `/rulesets/${ruleset.id}`,
      ready: async (page) => {
        await page.getByRole('checkbox', { name: 'Household ledger' }).waitFor();
        await page.getByText('set the category to Salary').waitFor();
      },
    };
  }),
  'ruleset-preview': sceneAt('/rulesets/:id', async (service) => {
    const owner = await linkedOwner(service);
    const ruleset = await addRuleset(owner);
    return {
      owner,
      path: `/rulesets/${ruleset.id}`,
      ready: async (page) => {
        await page.getByRole('button', { name: 'Preview', exact: true }).click();
        await page.getByText('Matches by rule').waitFor();
        await page.getByText('Matches by rule').scrollIntoViewIfNeeded();
      },
    };
  }),
  'ruleset-empty': sceneAt('/rulesets/:id', async (service) => {
    const owner = await service.owner();
    const { body } = await owner.v2('POST', '/v2/rulesets', { name: 'Household rules' });
    return {
      owner,
      path: `/rulesets/${body.id}`,
      ready: (page) => page.getByText('No sync of transactions exists yet').waitFor(),
    };
  }),
  'rule-new': sceneAt('/rulesets/:id', async (service) => {
    const owner = await linkedOwner(service);
    const ruleset = await addRuleset(owner);
    return {
      owner,
      path: `/rulesets/${ruleset.id}?rule=new`,
      ready: async (page) => {
        await page.getByLabel('Value').fill('coffee');
        await page.getByRole('button', { name: 'Add a group' }).click();
        await page.getByRole('button', { name: 'Preview', exact: true }).waitFor();
      },
    };
  }),
  'rule-refused': sceneAt('/rulesets/:id', async (service) => {
    const owner = await linkedOwner(service);
    const ruleset = await addRuleset(owner);
    return {
      owner,
      path: `/rulesets/${ruleset.id}?rule=new`,
      ready: async (page) => {
        await page.getByLabel('Comparison').selectOption('matches the pattern');
        await page.getByLabel('Value').fill('coffee(');
        await page.getByRole('button', { name: 'Add rule' }).click();
        await page.getByRole('alert').filter({ hasText: 'The rule was not saved' }).waitFor();
      },
    };
  }),
  'ruleset-missing': sceneAt('/rulesets/:id', async (service) => ({
    owner: await service.owner(),
    path: '/rulesets/rset_nothing',
    ready: (page) => page.getByText('What this means').waitFor(),
  })),
};

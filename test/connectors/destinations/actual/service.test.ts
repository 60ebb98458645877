import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commonService } from '../../../support/service.ts';

test('the sandbox connects its Actual server with the secret of its page, lists what there is, and shows the budgets', async () => {
  const service = await commonService();
  try {
    const owner = await service.owner();
    const page = await (await fetch(`${service.url}/sandbox/actual/`)).text();
    const [, secret = ''] = /<code>([^<]+)<\/code>/.exec(page) ?? [];
    const wrong = await owner.v2('POST', '/v2/destinations', {
      type: 'actual',
      name: 'Budget',
      secret: secret.replace('sandbox', 'wrong'),
    });
    assert.deepEqual(
      [wrong.status, wrong.body.error.code, wrong.body.error.param],
      [400, 'parameter_invalid', 'secret'],
    );
    const made = await owner.v2('POST', '/v2/destinations', { type: 'actual', name: 'Budget', secret });
    assert.equal(made.body.status, 'incomplete', JSON.stringify(made.body));
    assert.ok(!JSON.stringify(made.body).includes('sandbox@'));
    const path = `/v2/destinations/${made.body.id}`;
    const budgets = await owner.v2('GET', `${path}/resources?type=budget`);
    const [budget] = budgets.body.data;
    assert.equal(budget.name, 'Household');
    const aimed = await owner.v2('POST', path, { target: { budget_id: budget.id } });
    assert.deepEqual([aimed.status, aimed.body.status], [200, 'active']);
    const accounts = await owner.v2('GET', `${path}/resources?type=account`);
    assert.deepEqual(
      accounts.body.data.map(({ name }: { name: string }) => name),
      ['Everyday', 'Savings', 'Mortgage'],
    );
    const place = `/sandbox/actual/budgets/${budget.id}/accounts/${accounts.body.data[0].id}`;
    assert.match(await (await fetch(service.url + place)).text(), /No transactions yet/);
  } finally {
    await service.close();
  }
});

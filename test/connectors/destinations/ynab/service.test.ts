import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../../../features/linking/browser.ts';
import { commonService } from '../../../support/service.ts';
import { startLink } from '../support/linked.ts';

test('the sandbox links YNAB on its own pages, lists what there is, and shows the plans', async () => {
  const service = await commonService();
  try {
    const owner = await service.owner();
    const link = await startLink(owner, { type: 'ynab' });
    const browser = new Browser();
    const begun = await browser.visit(link.url, 'POST');
    assert.equal(begun.status, 303, begun.html);
    assert.ok(begun.location.startsWith(`${service.url}/sandbox/ynab/oauth/authorize`), begun.location);
    const consent = await browser.visit(begun.location);
    const [, action = ''] = /action="([^"]+)"/.exec(consent.html) ?? [];
    const answer = await fetch(new URL(action, service.url), {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'approve' }),
      redirect: 'manual',
    });
    const back = answer.headers.get('location') ?? '';
    assert.ok(back.startsWith(`${service.url}/connect/return`), back);
    await browser.visit(back);
    const { body: linked } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
    assert.equal(linked.status, 'completed', JSON.stringify(linked));
    const path = `/v2/destinations/${linked.destination}`;
    const plans = await owner.v2('GET', `${path}/resources?type=budget`);
    const [plan] = plans.body.data;
    assert.equal(plan.name, 'Household');
    const aimed = await owner.v2('POST', path, { target: { budget_id: plan.id } });
    assert.deepEqual([aimed.status, aimed.body.status], [200, 'active']);
    const accounts = await owner.v2('GET', `${path}/resources?type=account`);
    assert.deepEqual(
      accounts.body.data.map(({ name }: { name: string }) => name),
      ['Everyday', 'Savings', 'Credit Card'],
    );
    for (const page of ['/', ...(service.app.sandbox?.simulators.get('ynab')?.received?.pages() ?? [])]) {
      const shown = await fetch(`${service.url}/sandbox/ynab${page}`);
      assert.equal(shown.status, 200);
      assert.match(await shown.text(), /Household/);
    }
    assert.equal((await fetch(`${service.url}/sandbox/ynab/v1/user`)).status, 404, 'the API is out of reach');
  } finally {
    await service.close();
  }
});

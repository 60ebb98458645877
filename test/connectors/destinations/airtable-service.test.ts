import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AirtableControl } from '../../../sandbox/airtable/control.ts';
import { Browser } from '../../features/linking/browser.ts';
import { completeConsent } from '../../support/consent-client.ts';
import { commonService, type TestOwner, type TestService } from '../../support/service.ts';
import { startLink } from './support/linked.ts';

describe('A service without credentials of Airtable', () => {
  let service: TestService;
  let owner: TestOwner;
  let control: AirtableControl;

  before(async () => {
    service = await commonService();
    owner = await service.owner();
    const simulator = service.app.sandbox?.simulators.get('airtable');
    assert.ok(simulator?.control instanceof AirtableControl);
    assert.equal(simulator.received, simulator.control);
    control = simulator.control;
  });
  after(() => service.close());

  test('links at the simulator, lists its bases and tables, and is aimed at one', async () => {
    const browser = new Browser();
    const link = await startLink(owner, { type: 'airtable' });
    const begun = await browser.visit(link.url, 'POST');
    assert.equal(begun.status, 303, begun.html);
    assert.ok(
      begun.location.startsWith(`${service.url}/sandbox/airtable/oauth2/v1/authorize?`),
      begun.location,
    );
    const back = await completeConsent(begun.location);
    await browser.visit(back.href);
    const { body } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
    assert.equal(body.status, 'completed', JSON.stringify(body));
    const of = `/v2/destinations/${body.destination}`;
    const bases = await owner.v2('GET', `${of}/resources?type=base`);
    assert.deepEqual(
      bases.body.data.map(({ name }: { name: string }) => name),
      ['Household'],
    );
    const [{ id: base, url }] = bases.body.data;
    assert.equal((await fetch(url)).status, 200, 'its page is below the address of the service');
    const tables = await owner.v2('GET', `${of}/resources?type=table&parent=${base}`);
    const [{ id: table }] = tables.body.data;
    const aimed = await owner.v2('POST', of, { target: { base_id: base, table_id: table } });
    assert.deepEqual([aimed.status, aimed.body.status], [200, 'active']);
  });

  test('shows people every page of the simulator, and none of its API', async () => {
    for (const path of control.pages()) {
      const page = await fetch(`${service.url}/sandbox/airtable${path}`);
      assert.equal(page.status, 200, path);
      assert.match(await page.text(), /Sandbox Airtable/);
    }
    for (const path of ['/v0/meta/bases', '/v0/app/tbl', '/oauth2/v1/token']) {
      assert.equal((await fetch(`${service.url}/sandbox/airtable${path}`)).status, 404, path);
    }
  });
});

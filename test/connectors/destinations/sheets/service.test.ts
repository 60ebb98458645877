import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Browser } from '../../../features/linking/browser.ts';
import { commonService, type TestOwner, type TestService } from '../../../support/service.ts';
import { RETURN_URL } from '../support/linked.ts';

describe('a service in the sandbox', () => {
  let service: TestService;
  let owner: TestOwner;
  before(async () => {
    service = await commonService();
    owner = await service.owner();
  });
  after(() => service.close());

  test('links Google Sheets over its own address, lists what is there and shows it on a page', async () => {
    const browser = new Browser();
    const { body: link } = await owner.v2('POST', '/v2/destination_links', {
      type: 'sheets',
      return_url: RETURN_URL,
    });
    const begun = await browser.visit(link.url, 'POST');
    assert.equal(begun.status, 303, begun.html);
    assert.ok(begun.location.startsWith(`${service.url}/sandbox/sheets/o/oauth2/v2/auth?`), begun.location);
    const page = await browser.visit(begun.location);
    assert.match(page.html, /Allow access to Google Drive\?/);
    const [, action = ''] = /action="([^"]+)"/.exec(page.html) ?? [];
    const allowed = await fetch(new URL(action, service.url), {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'approve' }),
      redirect: 'manual',
    });
    assert.equal(allowed.status, 303);
    await browser.visit(allowed.headers.get('location') ?? '');
    const { body: done } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
    assert.equal(done.status, 'completed', JSON.stringify(done));
    const simulator = service.app.sandbox?.simulators.get('sheets') ?? assert.fail();
    const made = await fetch(`${simulator.controlUrl}/spreadsheets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'My money' }),
    });
    const { id } = JSON.parse(await made.text());
    const { body: listed } = await owner.v2(
      'GET',
      `/v2/destinations/${done.destination}/resources?type=spreadsheet`,
    );
    const [first] = listed.data;
    assert.deepEqual([first?.id, first?.name], [id, 'My money']);
    for (const path of simulator.received?.pages() ?? assert.fail()) {
      const shown = await fetch(`${service.url}/sandbox/sheets${path}`);
      assert.equal(shown.status, 200, path);
      assert.match(await shown.text(), /My money/);
    }
    assert.equal((await fetch(`${service.url}/sandbox/sheets/v4/spreadsheets/${id}`)).status, 404);
  });
});

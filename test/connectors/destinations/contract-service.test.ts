import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { Browser } from '../../features/linking/browser.ts';
import { linkBank } from '../../features/linking/person.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { paperclipConnector } from './paperclip/connector.ts';
import { Paperclip } from './paperclip/vendor.ts';

let service: TestService;
let vendor: Paperclip;
let owner: TestOwner;
before(async () => {
  vendor = await new Paperclip().open();
  service = await startService({}, { connectors: (http) => [paperclipConnector(http, vendor.origin)] });
  vendor.signIns.redirectUri = `${service.url}/connect/return`;
  owner = await service.owner();
});
after(async () => {
  await service.close();
  await vendor.close();
});

/** A draft that a person linked by signing in at the vendor; its id. */
async function linkedDraft(): Promise<string> {
  const browser = new Browser();
  const { body: link } = await owner.v2('POST', '/v2/destination_links', {
    type: 'sheets',
    return_url: 'https://app.example.test/back',
  });
  const begun = await browser.visit(link.url, 'POST');
  const consented = await browser.visit(begun.location);
  assert.equal(consented.status, 303, consented.html);
  await browser.visit(consented.location);
  const { body: ended } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
  assert.equal(ended.status, 'completed', JSON.stringify(ended));
  // A code counts once: coming back with it a second time changes nothing.
  await browser.visit(consented.location);
  return ended.destination;
}

async function finished(run: string): Promise<Json> {
  for (let round = 0; round < 200; round++) {
    const { body } = await owner.v2('GET', `/v2/sync_runs/${run}`);
    if (body.completed_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail('the run did not end');
}

describe('a vendor of one folder and one line', () => {
  test('is linked, given a document and a tab for each account, and has every row once while its tokens end', {
    timeout: 600_000,
  }, async () => {
    const connection = await linkBank(owner, { customer: 'salaried-household' });
    const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    const ids: string[] = accounts.data.map((account: Json) => account.id);
    const id = await linkedDraft();
    const destination = parsePublicId('destination', id) ?? assert.fail(id);
    vendor.signIns.expire();
    const made = await service.app.services.destinationCreations.create(owner.record.id, destination, {
      name: 'My money',
      parent: null,
      type: 'transactions',
      mappingMode: 'per_account',
      accounts: [],
    });
    const document = vendor.documents.get(made.row.target.spreadsheet_id ?? '') ?? assert.fail();
    const { body: shown } = await owner.v2('GET', `/v2/destinations/${id}`);
    assert.deepEqual([shown.status, shown.target.spreadsheet_id], ['active', document.id]);
    vendor.signIns.expire();
    const { body: listed } = await owner.v2('GET', `/v2/destinations/${id}/resources?type=spreadsheet`);
    assert.deepEqual(
      listed.data.map((item: Json) => item.id),
      [document.id],
    );
    vendor.signIns.expire();
    const { body: sync } = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'All',
      destination: id,
      accounts: ids,
      mapping_mode: 'per_account',
      options: { include_balances_tab: true },
    });
    const run = await finished(sync.latest_run.id);
    assert.deepEqual([run.status, run.failure], ['succeeded', null]);
    assert.ok(run.counts.added > 0);
    assert.equal(document.rows.length, run.counts.added);
    assert.equal(new Set(document.rows.map((row) => row.id)).size, run.counts.added);
    const { body: after } = await owner.v2('GET', `/v2/syncs/${sync.id}`);
    assert.deepEqual(
      after.account_mappings.map((mapping: Json) => mapping.sheet_id).toSorted(),
      [...document.tabs.values()].toSorted(),
    );
    assert.equal(document.tabs.size, ids.length);
    assert.equal(document.snapshots.size, ids.length);
    assert.equal(vendor.signIns.reused, 0);

    const { body: resync } = await owner.v2('POST', `/v2/syncs/${sync.id}/resync`, { confirm: true });
    const again = await finished(resync.id);
    assert.deepEqual([again.status, again.counts.added], ['succeeded', 0]);
    assert.equal(document.rows.length, run.counts.added);
  });

  test('holds trades and holdings, and refuses them of a bank', async () => {
    const connection = await linkBank(owner, { customer: 'salaried-household' });
    const { body: accounts } = await owner.v2('GET', `/v2/accounts?connection=${connection}`);
    const destination = await linkedDraft();
    const made = await owner.v2('POST', `/v2/destinations/${destination}/create_target`, { name: 'One' });
    assert.equal(made.body.status, 'active', JSON.stringify(made.body));
    for (const type of ['trades', 'holdings']) {
      const { status, body } = await owner.v2('POST', '/v2/syncs', {
        type,
        name: type,
        destination,
        accounts: [accounts.data[0].id],
        mapping_mode: 'bulk',
      });
      assert.deepEqual([status, body.error.code, body.error.param], [400, 'parameter_invalid', 'accounts']);
    }
  });
});

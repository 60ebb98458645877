import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { DestinationConnector } from '../../../src/connectors/destinations/destination-contract.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { Browser } from '../../features/linking/browser.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { paperclipConnector } from './paperclip/connector.ts';
import { Paperclip } from './paperclip/vendor.ts';

const REVOKE = 'POST /revoke';
let service: TestService;
let vendor: Paperclip;
let owner: TestOwner;
/** Whether what people grant is too little to be of use. */
let isTooLittle = false;
before(async () => {
  vendor = await new Paperclip().open();
  service = await startService(
    {},
    { connectors: (http) => [refusing(paperclipConnector(http, vendor.origin))] },
  );
  vendor.signIns.redirectUri = `${service.url}/connect/return`;
});
beforeEach(async () => {
  owner = await service.owner();
  isTooLittle = false;
  vendor.troubles.clear();
  vendor.beforeExchange = async () => undefined;
  vendor.beforeRevoke = async () => undefined;
});
after(async () => {
  await service.close();
  await vendor.close();
});

function refusing(connector: DestinationConnector): DestinationConnector {
  const { linking } = connector;
  assert.ok(linking);
  const complete: typeof linking.complete = async (callback, signal) => {
    const outcome = await linking.complete(callback, signal);
    if (outcome.kind === 'refused' || !isTooLittle) return outcome;
    return { kind: 'refused', reason: 'access_denied', grant: outcome.grant };
  };
  return { ...connector, linking: { ...linking, complete } };
}

async function startLink(destination: string | null = null): Promise<Json> {
  const renewal = destination === null ? {} : { destination };
  const body = { type: 'sheets', return_url: 'https://app.example.test/back', ...renewal };
  const { body: link } = await owner.v2('POST', '/v2/destination_links', body);
  return link;
}

/** Signs in; the way back from the vendor, for the browser that went there. */
async function signIn(link: Json): Promise<{ readonly browser: Browser; readonly back: string }> {
  const browser = new Browser();
  const begun = await browser.visit(link.url, 'POST');
  const consented = await browser.visit(begun.location);
  assert.equal(consented.status, 303, consented.html);
  return { browser, back: consented.location };
}

async function linked(destination: string | null = null): Promise<string> {
  const link = await startLink(destination);
  const { browser, back } = await signIn(link);
  await browser.visit(back);
  const { body } = await owner.v2('GET', `/v2/destination_links/${link.id}`);
  assert.equal(body.status, 'completed', JSON.stringify(body));
  return body.destination;
}

/** Waits until the condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; !(await holds()); round++) {
    assert.ok(round < 1200, 'it did not hold within a minute');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from grant_revocations`.execute(
    service.app.database.db,
  );
  return rows[0]?.count ?? 0;
}

const calls = (): number => vendor.calls.filter((call) => call === REVOKE).length;

describe('a grant', () => {
  test('is ended at the vendor when its destination is deleted, and the caller does not wait for that', async () => {
    const standing = vendor.signIns.count;
    const id = await linked();
    const asked = calls();
    const gate = Promise.withResolvers<void>();
    vendor.beforeRevoke = () => gate.promise;
    assert.equal((await owner.v2('DELETE', `/v2/destinations/${id}`)).status, 200);
    assert.equal((await owner.v2('GET', `/v2/destinations/${id}`)).status, 404);
    await until(() => calls() > asked);
    assert.equal(vendor.signIns.count, standing + 1);
    gate.resolve();
    await until(() => vendor.signIns.count === standing);
    await until(async () => (await waiting()) === 0);
  });

  test('is ended once a vendor that is down is back, and nothing of it is left then', async () => {
    const standing = vendor.signIns.count;
    const id = await linked();
    vendor.troubles.set(REVOKE, [{ status: 500 }, 'reset']);
    await owner.v2('DELETE', `/v2/destinations/${id}`);
    await until(() => vendor.signIns.count === standing);
    await until(async () => (await waiting()) === 0);
  });

  test('is ended once at most where its end was not answered', async () => {
    const standing = vendor.signIns.count;
    const id = await linked();
    vendor.troubles.set(REVOKE, ['lost']);
    const before = calls();
    await owner.v2('DELETE', `/v2/destinations/${id}`);
    await until(() => calls() >= before + 2);
    assert.equal(vendor.signIns.count, standing);
  });

  test('that another sign-in replaces is ended, and the new one is kept', async () => {
    const id = await linked();
    const standing = vendor.signIns.count;
    const before = calls();
    await linked(id);
    await until(() => calls() > before && vendor.signIns.count === standing);
    const list = await owner.v2('GET', `/v2/destinations/${id}/resources?type=spreadsheet`);
    assert.equal(list.status, 200, JSON.stringify(list.body));
  });

  test('that a link brought too late is ended', async () => {
    const standing = vendor.signIns.count;
    const link = await startLink();
    const { browser, back } = await signIn(link);
    await service.app.database.db
      .updateTable('destination_links')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', parsePublicId('destination_link', link.id) ?? assert.fail())
      .execute();
    const before = calls();
    assert.match((await browser.visit(back)).location, /session_expired/);
    await until(() => calls() > before && vendor.signIns.count === standing);
    assert.deepEqual((await owner.v2('GET', '/v2/destinations')).body.data, []);
  });

  test('that is of no use is ended, and its link is refused', async () => {
    isTooLittle = true;
    const standing = vendor.signIns.count;
    const { browser, back } = await signIn(await startLink());
    const before = calls();
    assert.match((await browser.visit(back)).location, /reason=access_denied/);
    await until(() => calls() > before && vendor.signIns.count === standing);
  });

  test('that returns to a link which was cancelled in the meantime is ended', async () => {
    const standing = vendor.signIns.count;
    const link = await startLink();
    const { browser, back } = await signIn(link);
    vendor.beforeExchange = async () => {
      const { hostedDestinationLinks } = service.app;
      await hostedDestinationLinks.flow.cancel(link.url.split('/').at(-1) ?? '');
    };
    const before = calls();
    assert.match((await browser.visit(back)).location, /reason=cancelled/);
    await until(() => calls() > before && vendor.signIns.count === standing);
  });

  test('for a destination that was deleted in the meantime is ended', async () => {
    const standing = vendor.signIns.count;
    const id = await linked();
    const { browser, back } = await signIn(await startLink(id));
    await owner.v2('DELETE', `/v2/destinations/${id}`);
    assert.match((await browser.visit(back)).location, /destination_deleted/);
    await until(() => vendor.signIns.count === standing);
  });

  test('renewed while its destination was being deleted is ended with what it was renewed to', async () => {
    const standing = vendor.signIns.count;
    const id = await linked();
    vendor.signIns.expire();
    const asked = calls();
    vendor.beforeExchange = async () => {
      vendor.beforeExchange = async () => undefined;
      await owner.v2('DELETE', `/v2/destinations/${id}`);
      await until(() => calls() > asked);
    };
    vendor.troubles.set(REVOKE, [{ status: 500 }]);
    const listed = await owner.v2('GET', `/v2/destinations/${id}/resources?type=spreadsheet`);
    assert.equal(listed.status, 404, JSON.stringify(listed.body));
    await until(() => vendor.signIns.count === standing);
  });

  test('waits sealed in the database, and no job carries anything of it', async () => {
    const id = await linked();
    vendor.troubles.set(
      REVOKE,
      Array.from({ length: 50 }, () => ({ status: 500 }) as const),
    );
    await owner.v2('DELETE', `/v2/destinations/${id}`);
    const { db } = service.app.database;
    const { rows } = await sql<{ stored: string }>`
      select encode("grant", 'escape') as stored from grant_revocations`.execute(db);
    assert.ok(rows.length > 0);
    const jobs = await sql<{
      data: unknown;
    }>`select payload as data from jobs where queue = 'grant-revocation'`.execute(db);
    assert.ok(jobs.rows.length > 0);
    const all = JSON.stringify([rows, jobs.rows]);
    assert.doesNotMatch(all, /access-|refresh-/);
    for (const { data } of jobs.rows) assert.deepEqual(Object.keys(Object(data)), ['owner']);
  });
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Schedules } from '../../../src/background/schedules.ts';
import { countSealed } from '../../../src/features/operator/sealed-secrets.ts';
import { Keyring } from '../../../src/platform/keyring.ts';
import { parsePublicId, publicId, rowId } from '../../../src/vocabulary/ids.ts';
import {
  comeBack,
  draft,
  linkAt,
  RETURN_URL,
  signIn,
  startLink,
  startWithVendor,
  TARGETS,
} from '../../connectors/destinations/support/linked.ts';
import type { Vendor } from '../../connectors/destinations/support/vendor.ts';
import type { TestOwner, TestService } from '../../support/service.ts';
import type { Answer, Json } from '../../support/v2-client.ts';
import { visit } from '../linking/person.ts';

let service: TestService;
let vendor: Vendor;
let owner: TestOwner;
before(async () => {
  ({ service, vendor } = await startWithVendor());
});
beforeEach(async () => {
  owner = await service.owner();
  vendor.troubles.clear();
  vendor.refuses = false;
  vendor.name = 'Signed in';
  vendor.beforeExchange = async () => undefined;
});
after(async () => {
  await service.close();
  await vendor.close();
});

const NOWHERE = '01234567-89ab-7cde-8f01-23456789abcd';
const COMPLETED = 'https://app.example.test/back?tab=2&destination_link=completed';
const failedWith = (reason: string) =>
  `https://app.example.test/back?tab=2&destination_link=failed&reason=${reason}`;

function refused(answer: Answer, status: number, code: string, param: string | null = null): void {
  assert.deepEqual([answer.status, answer.body.error?.code, answer.body.error?.param], [status, code, param]);
}

async function read(link: Json): Promise<Json> {
  return (await owner.v2('GET', `/v2/destination_links/${link.id}`)).body;
}

async function destinations(): Promise<Json[]> {
  return (await owner.v2('GET', '/v2/destinations')).body.data;
}

/** Moves the link's end, as waiting would. */
async function endAt(link: Json, ms: number): Promise<void> {
  const id = parsePublicId('destination_link', link.id) ?? assert.fail();
  await service.app.database.db
    .updateTable('destination_links')
    .set({ expires_at: new Date(ms) })
    .where('id', '=', id)
    .execute();
}

describe('a destination link', () => {
  test('that is granted carries a draft destination without a target [move destination_link: access granted]', async () => {
    const link = await startLink(owner);
    assert.deepEqual(Object.keys(link), [
      'id',
      'object',
      'type',
      'status',
      'url',
      'destination',
      'return_url',
      'failure_reason',
      'expires_at',
      'completed_at',
      'livemode',
      'created',
      'updated',
    ]);
    assert.match(link.id, /^dl_[0-9A-Za-z]{22}$/);
    assert.deepEqual(
      [link.object, link.type, link.status, link.destination, link.return_url],
      ['destination_link', 'sheets', 'pending', null, RETURN_URL],
    );
    assert.equal(Date.parse(link.expires_at) - Date.parse(link.created), 30 * 60_000);

    const page = await visit(link.url);
    assert.equal(page.status, 200);
    assert.match(page.html, /Google Sheets/);
    assert.match(page.html, /no longer protected by the Consumer Data Right/);
    assert.match(page.html, /o•••@example\.test/);
    assert.match(
      page.html,
      new RegExp(`This link expires on <time datetime="${link.expires_at}">[^<]+ [ap]m AE[SD]T</time>\\.`),
    );
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);

    const answer = await linkAt(link);
    assert.deepEqual([answer.status, answer.location], [303, COMPLETED]);
    const done = await read(link);
    assert.deepEqual([done.status, done.failure_reason], ['completed', null]);
    assert.ok(done.completed_at);
    const { body: made } = await owner.v2('GET', `/v2/destinations/${done.destination}`);
    assert.deepEqual(
      [made.type, made.status, made.target, made.config, made.name, made.sync_count],
      ['sheets', 'incomplete', {}, null, 'Signed in', 0],
    );
    assert.match((await visit(link.url)).html, /There is nothing left to do here/);
  });

  test('is called what the vendor calls it, as far as that can be a name', async () => {
    for (const [theirs, ours] of [
      ['Küche 東京 🍜', 'Küche 東京 🍜'],
      ['  Mine\n', 'Mine'],
      ['Min\u0000e\ud83d', 'Min\ufffde\ufffd'],
      [`${'x'.repeat(199)}🍜`, 'x'.repeat(199)],
      [' \n', 'sheets'],
      ['', 'sheets'],
    ] as const) {
      vendor.name = theirs;
      assert.equal((await draft(owner)).name, ours);
    }
  });

  test('leaves no grant in the database in the clear, and the doctor tries to open it', async () => {
    const { db } = service.app.database;
    const strange = new Keyring([{ id: 'strange', key: randomBytes(32) }]);
    const before = await countSealed(db, strange);
    await draft(owner);
    const sealed = before.sealed + 2;
    assert.deepEqual(await countSealed(db, strange), { sealed, unreadable: sealed });
    const rows = await db
      .selectFrom('destinations')
      .selectAll()
      .where('account_record', '=', owner.record.id)
      .execute();
    const [row] = rows;
    const stored = Buffer.from(row?.grant ?? []).toString('latin1');
    assert.ok(stored.length > 0);
    for (const grant of vendor.grants) assert.ok(!stored.includes(grant));
  });

  test('that is refused or cancelled says why [move destination_link: access refused, or the person cancelled]', async () => {
    vendor.refuses = true;
    const denied = await startLink(owner);
    assert.equal((await linkAt(denied)).location, failedWith('access_denied'));
    const shown = await read(denied);
    assert.deepEqual(
      [shown.status, shown.failure_reason, shown.destination],
      ['failed', 'access_denied', null],
    );

    const cancelled = await startLink(owner);
    assert.equal((await visit(`${cancelled.url}/cancel`, 'POST')).location, failedWith('cancelled'));
    assert.deepEqual((await read(cancelled)).failure_reason, 'cancelled');
    assert.equal((await visit(cancelled.url, 'POST')).location, failedWith('cancelled'));

    vendor.refuses = false;
    const forged = await startLink(owner);
    const back = new URL(await signIn(forged.url));
    back.searchParams.set('code', 'made-up');
    assert.equal((await comeBack(back.href)).location, failedWith('unknown'));
    assert.deepEqual(await destinations(), []);
  });

  test('runs out [move destination_link: 30 minutes passed]', async () => {
    const link = await startLink(owner);
    const back = await signIn(link.url);
    await endAt(link, Date.now() - 1);
    assert.equal((await read(link)).status, 'expired');
    assert.equal((await comeBack(back)).location, failedWith('session_expired'));
    assert.equal((await visit(link.url, 'POST')).location, failedWith('session_expired'));
    assert.match((await visit(link.url)).html, /expired/);
    assert.equal((await read(link)).status, 'expired');
    assert.deepEqual(await destinations(), []);
  });

  test('counts when the person was back in time [move destination_link: the person returned in time and the vendor granted access late]', async () => {
    const link = await startLink(owner);
    vendor.beforeExchange = async () => {
      await endAt(link, Date.now() - 1);
      assert.equal((await read(link)).status, 'expired');
    };
    assert.equal((await linkAt(link)).location, COMPLETED);
    assert.equal((await read(link)).status, 'completed');
  });

  test('also when it was refused [move destination_link: the person returned in time and the vendor refused access late]', async () => {
    const link = await startLink(owner);
    vendor.beforeExchange = async () => {
      await endAt(link, Date.now() - 1);
      assert.equal((await read(link)).status, 'expired');
    };
    const back = new URL(await signIn(link.url));
    back.searchParams.set('code', 'made-up');
    assert.equal((await comeBack(back.href)).location, failedWith('unknown'));
    assert.equal((await read(link)).status, 'failed');
  });

  test('requested many times at once is exchanged once and makes one destination', async () => {
    const link = await startLink(owner);
    const back = await signIn(link.url);
    let asked = 0;
    vendor.beforeExchange = async () => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const callbacks = await Promise.all(Array.from({ length: 5 }, () => comeBack(back)));
    assert.equal(asked, 1);
    for (const callback of callbacks) {
      if (callback.status === 200) assert.match(callback.html, /is being confirmed/);
      else assert.equal(callback.location, COMPLETED);
    }
    assert.equal((await comeBack(back)).location, COMPLETED);
    assert.equal((await destinations()).length, 1);
  });

  test('stays open while the vendor is down, and the page offers to sign in again', async () => {
    const link = await startLink(owner);
    vendor.troubles.set('/token', { status: 500 });
    const failed = await linkAt(link);
    assert.equal(failed.status, 503);
    assert.ok(failed.html.includes(`<form method="post" action="${new URL(link.url).pathname}">`));
    assert.equal((await read(link)).status, 'pending');
    vendor.troubles.clear();
    assert.equal((await linkAt(link)).location, COMPLETED);
  });

  test('whose grant cannot be recorded stays open [code destination_link_complete_failed]', async () => {
    const link = await startLink(owner);
    const { db } = service.app.database;
    await sql`alter table destinations add constraint out_of_order check (false) not valid`.execute(db);
    const failed = await linkAt(link).finally(() =>
      sql`alter table destinations drop constraint out_of_order`.execute(db),
    );
    assert.equal(failed.status, 409);
    assert.match(failed.html, /The destination link was not completed; try again\./);
    assert.equal((await read(link)).status, 'pending');
    assert.equal((await linkAt(link)).location, COMPLETED);
  });

  test('is not begun when it cannot be stored [code destination_link_create_failed]', async () => {
    const { db } = service.app.database;
    await sql`alter table destination_links add constraint out_of_order check (false) not valid`.execute(db);
    const answer = await owner
      .v2('POST', '/v2/destination_links', { type: 'sheets', return_url: RETURN_URL })
      .finally(() => sql`alter table destination_links drop constraint out_of_order`.execute(db));
    refused(answer, 409, 'destination_link_create_failed');
  });

  test('is opened by its own tokens alone', async () => {
    const link = await startLink(owner);
    const other = await startLink(owner);
    const back = new URL(await signIn(link.url));
    const state = back.searchParams.get('state') ?? '';
    const token = new URL(link.url).pathname.split('/').at(-1) ?? '';
    const [id = '', mac = ''] = token.split('.');
    const otherId = new URL(other.url).pathname.split('/').at(-1)?.split('.')[0] ?? '';
    const page = (text: string) => visit(`${service.url}/connect/${text}`);
    for (const wrong of [id, state, `${otherId}.${mac}`, `${token}x`, 'x']) {
      assert.equal((await page(wrong)).status, 404, wrong);
    }
    for (const wrong of ['', token, id]) {
      back.searchParams.set('state', wrong);
      assert.equal((await comeBack(back.href)).status, 404, wrong);
    }
    assert.equal((await read(link)).status, 'pending');
  });

  test('is exchanged only in the browser that went on from its page; another is shown the page first', async () => {
    const link = await startLink(owner);
    const back = await signIn(link.url);
    const asked = vendor.calls.length;
    const other = await startLink(owner);
    const begun = await visit(other.url, 'POST');
    const [theirs = ''] = begun.headers.getSetCookie();
    const proof =
      /^link_dl_[0-9A-Za-z]{22}=([^;]+); Path=\/connect\/return; Max-Age=1800; HttpOnly; SameSite=Lax$/;
    const value = proof.exec(theirs)?.[1] ?? assert.fail(theirs);
    for (const cookie of ['', theirs.split(';')[0] ?? '', `link_${link.id}=${value}`, `link_${link.id}=x`]) {
      const answer = await visit(back, 'GET', { cookie });
      assert.deepEqual([answer.status, answer.location], [303, `${link.url}?notice=other_browser`]);
    }
    assert.match((await visit(`${link.url}?notice=other_browser`)).html, /a different browser/);
    assert.equal(vendor.calls.length, asked);
    assert.equal((await read(link)).status, 'pending');
    assert.equal((await comeBack(back)).location, COMPLETED);
    assert.equal((await visit(back)).location, COMPLETED);
  });

  test("is not begun from another site's page", async () => {
    const link = await startLink(owner);
    for (const site of ['cross-site', 'same-site']) {
      const begun = await visit(link.url, 'POST', { 'sec-fetch-site': site });
      assert.deepEqual([begun.location, begun.headers.getSetCookie()], [new URL(link.url).pathname, []]);
    }
    const begun = await visit(link.url, 'POST', { 'sec-fetch-site': 'same-origin' });
    assert.equal(new URL(begun.location).origin, vendor.origin);
  });

  test('is refused with the field at fault', async () => {
    const create = (more: object) =>
      owner.v2('POST', '/v2/destination_links', { type: 'sheets', return_url: RETURN_URL, ...more });
    refused(await create({ type: 'webhook' }), 400, 'parameter_invalid', 'type');
    refused(await create({ type: 'excel' }), 400, 'parameter_invalid', 'type');
    refused(await create({ type: undefined }), 400, 'parameter_missing', 'type');
    refused(await create({ type: 'notion' }), 400, 'not_supported', 'type');
    refused(await create({ return_url: undefined }), 400, 'parameter_missing', 'return_url');
    refused(await create({ return_url: 'javascript:alert(1)' }), 400, 'parameter_invalid', 'return_url');
    refused(await create({ metadata: {} }), 400, 'parameter_invalid', 'metadata');
    refused(await create({ destination: 'dest_x' }), 404, 'resource_missing', 'destination');
    const { id } = await draft(owner, 'ynab');
    refused(await create({ destination: id }), 400, 'parameter_invalid', 'type');
  });

  test("of another owner, or naming another's destination, looks as if it were not there", async () => {
    const link = await startLink(owner);
    const { id } = await draft(owner);
    const stranger = await service.owner();
    const same = async (theirs: Promise<Answer>, nobodys: Promise<Answer>) => {
      const [foreign, unknown] = [await theirs, await nobodys];
      assert.equal(foreign.status, 404);
      assert.deepEqual({ ...foreign.body.error, request_id: '' }, { ...unknown.body.error, request_id: '' });
    };
    const none = {
      link: publicId('destination_link', rowId('destination_link', NOWHERE)),
      destination: publicId('destination', rowId('destination', NOWHERE)),
    };
    await same(
      stranger.v2('GET', `/v2/destination_links/${link.id}`),
      stranger.v2('GET', `/v2/destination_links/${none.link}`),
    );
    const again = (destination: string) =>
      stranger.v2('POST', '/v2/destination_links', { type: 'sheets', return_url: RETURN_URL, destination });
    await same(again(id), again(none.destination));
    for (const query of ['type=spreadsheet', 'type=sheet&parent=x']) {
      await same(
        stranger.v2('GET', `/v2/destinations/${id}/resources?${query}`),
        stranger.v2('GET', `/v2/destinations/${none.destination}/resources?${query}`),
      );
    }
    const aim = (destination: string) =>
      stranger.v2('POST', `/v2/destinations/${destination}`, { target: TARGETS.sheets });
    await same(aim(id), aim(none.destination));
  });
});

test('a link that ended 30 days ago is deleted, a later one is not', async () => {
  const { app } = service;
  const [old, late] = [await startLink(owner), await startLink(owner)];
  await endAt(old, Date.now() - 30 * 86_400_000 - 1000);
  await endAt(late, Date.now() - 29 * 86_400_000);
  const { clock, log, services } = app;
  const { db } = app.database;
  await new Schedules({ db, clock, log, limits: app.config.limits, syncRuns: services.syncRuns }).prune();
  refused(await owner.v2('GET', `/v2/destination_links/${old.id}`), 404, 'resource_missing');
  assert.equal((await read(late)).status, 'expired');
});

describe('a destination that is connected again', () => {
  test('keeps its target, name and syncs and is active [move destination: destination link completed]', async () => {
    const { id } = await draft(owner);
    await owner.v2('POST', `/v2/destinations/${id}`, { target: TARGETS.sheets, name: 'Mine' });
    const row = parsePublicId('destination', id) ?? assert.fail();
    const { db } = service.app.database;
    await db.updateTable('destinations').set({ status: 'reauth_required' }).where('id', '=', row).execute();
    vendor.grants.clear();
    const link = await startLink(owner, { destination: id });
    assert.match((await visit(link.url)).html, /Connect Google Sheets again/);
    assert.equal((await linkAt(link)).location, COMPLETED);
    assert.equal((await read(link)).destination, id);
    const { body } = await owner.v2('GET', `/v2/destinations/${id}`);
    assert.deepEqual([body.status, body.name, body.target], ['active', 'Mine', TARGETS.sheets]);
    vendor.things.set('spreadsheet ', []);
    assert.equal((await owner.v2('GET', `/v2/destinations/${id}/resources?type=spreadsheet`)).status, 200);
    assert.equal((await destinations()).length, 1);
  });

  test('stays a draft when it was one, and is not brought back when it was deleted', async () => {
    const { id } = await draft(owner);
    assert.equal((await linkAt(await startLink(owner, { destination: id }))).location, COMPLETED);
    assert.equal((await owner.v2('GET', `/v2/destinations/${id}`)).body.status, 'incomplete');
    const late = await startLink(owner, { destination: id });
    await owner.v2('DELETE', `/v2/destinations/${id}`);
    assert.equal((await linkAt(late)).location, failedWith('destination_deleted'));
    assert.deepEqual(await destinations(), []);
  });
});

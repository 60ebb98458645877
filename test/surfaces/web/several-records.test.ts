import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { newRowId } from '../../../src/platform/row-id.ts';
import type { User } from '../../../src/storage/users.ts';
import { parsePublicId, publicId, type RowId, rowId } from '../../../src/vocabulary/ids.ts';
import { linkBank } from '../../features/linking/person.ts';
import { addPerson, Browser, joinRecord, PASSWORD, type Page, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService({}, { clock });
});
after(() => service.close());

/** A sync of the account record that no worker runs. */
async function addSync({ record, v2 }: TestOwner): Promise<RowId<'sync'>> {
  const hook = { type: 'webhook', name: 'Books', target: { url: 'https://books.example.test/hook' } };
  const { id: made } = (await v2('POST', '/v2/destinations', hook)).body;
  const destination = parsePublicId('destination', made);
  assert.ok(destination !== null);
  const id = rowId('sync', newRowId(clock));
  const now = new Date(clock.now());
  await service.app.database.db
    .insertInto('syncs')
    .values({
      id,
      account_record: record.id,
      destination,
      name: 'Books',
      type: 'transactions',
      enabled: true,
      mapping_mode: 'bulk',
      account_mappings: '[]',
      category_mappings: '[]',
      options: '{}',
      columns: null,
      schedule_minutes: null,
      schedule_times: null,
      schedule_timezone: null,
      attention: null,
      last_synced_at: null,
      next_run_at: null,
      metadata: '{}',
      created: now,
      updated: now,
    })
    .execute();
  return id;
}

/** A run of it that has ended. */
async function addRun({ record }: TestOwner, sync: RowId<'sync'>, rejected: number): Promise<void> {
  const { db } = service.app.database;
  const { destination } = await db
    .selectFrom('syncs')
    .select('destination')
    .where('id', '=', sync)
    .executeTakeFirstOrThrow();
  clock.advance(1_000);
  const now = new Date(clock.now());
  await db
    .insertInto('sync_runs')
    .values({
      id: rowId('sync_run', newRowId(clock)),
      account_record: record.id,
      sync,
      destination,
      status: 'succeeded',
      trigger: 'api',
      actor_kind: 'service',
      actor_id: null,
      rejected,
      failure: null,
      retryable: null,
      lease_until: null,
      dispatched_at: now,
      started_at: now,
      completed_at: now,
      range_from: null,
      range_to: null,
      created: now,
    })
    .execute();
}

const idOf = ({ record }: Pick<TestOwner, 'record'>): string => publicId('account_record', record.id);
const place = ({ headers }: Page): string => headers.get('location') ?? '';

/** A bookkeeper with two clients, whose browser shows the second. */
async function bookkeeper() {
  const [first, second] = [await service.owner(), await service.owner()];
  const person = await addPerson(service, first);
  await joinRecord(service, second, person);
  const browser = await signedIn(service, person);
  await browser.post('/settings/account', { account: idOf(second) });
  return { first, second, person, browser };
}

const shownTo = async (browser: Browser): Promise<string> => (await browser.v2('GET', '/v2/me')).body.id;

/** Sends the form of the sign-in page at an address, as the person who was led there. */
async function confirm(browser: Browser, address: string, { email }: User): Promise<Page> {
  const { text } = await browser.get(address);
  const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const fields = Object.fromEntries(
    hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]),
  );
  return browser.post('/sign-in', { ...fields, email, password: PASSWORD });
}

const stale = () => clock.advance(20 * 60_000);

describe('someone who shares several account records', () => {
  test('confirms who they are for the one they work with, and the page that they return to is about it', async () => {
    const { second, person, browser } = await bookkeeper();
    stale();
    const asked = await browser.get('/settings/delete');
    assert.match(place(asked), /^\/sign-in\?next=%2Fsettings%2Fdelete&notice=fresh&shown_account=/);
    const back = await confirm(browser, place(asked), person);
    assert.equal(place(back), '/settings/delete');
    await service.app.services.accountRecords.update(second.record.id, { name: 'Ridge Builders' });
    const label = `${second.record.email} (<bdi>Ridge Builders</bdi>)`;
    assert.ok((await browser.get('/settings/delete')).text.includes(label));
    assert.equal(await shownTo(browser), idOf(second));
  });

  test('returns to it also from a tab whose session has ended meanwhile', async () => {
    const { second, person, browser } = await bookkeeper();
    stale();
    const address = place(await browser.get('/settings/delete'));
    await browser.post('/sign-out');
    await browser.signIn(person.email);
    await confirm(browser, address, person);
    assert.equal(await shownTo(browser), idOf(second));
  });

  test('is refused if they were removed from it, and nothing is done in another one', async () => {
    const { second, person, browser } = await bookkeeper();
    stale();
    const address = place(await browser.get('/settings/delete'));
    await addPerson(service, second);
    await service.app.signIn.members.remove(second.record.id, person.id);
    const refused = await confirm(browser, address, person);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /You are not a member of the account record that this step is for/);
    assert.ok(!refused.text.includes('/settings/delete'));
    assert.ok(!refused.text.includes(second.record.email));
    assert.equal((await browser.v2('GET', '/v2/me')).status, 401);
  });

  test('is answered alike for one that they never shared and for one that does not exist', async () => {
    const { person } = await bookkeeper();
    const foreign = idOf(await service.owner());
    const unknown = foreign.replace(/.{6}$/, 'aaaaaa');
    const send = (shown_account: string) =>
      new Browser(service.url).post('/sign-in', { email: person.email, password: PASSWORD, shown_account });
    const [one, other] = [await send(foreign), await send(unknown)];
    assert.deepEqual([one.status, one.text], [403, other.text]);
  });

  test('finds the address that they invite still typed after confirming, and invites to the same one', async () => {
    const { first, second, person, browser } = await bookkeeper();
    stale();
    const typed = { email: 'colleague@example.test', role: 'owner', shown_account: idOf(second) };
    const asked = await browser.post('/settings/security/invitations', typed);
    const back = await confirm(browser, place(asked), person);
    const { text } = await browser.get(place(back));
    assert.match(text, /name="email" type="email"[^>]* value="colleague@example\.test"/);
    assert.match(text, /<option value="owner" selected>/);
    assert.equal((await browser.post('/settings/security/invitations', typed)).status, 200);
    const { invitations } = service.app.signIn;
    assert.equal((await invitations.list(first.record.id)).length, 0);
    assert.equal((await invitations.list(second.record.id)).length, 1);
  });

  test('starts in the one that they used last, also in another browser', async () => {
    const { first, second, person, browser } = await bookkeeper();
    await browser.post('/sign-out');
    assert.equal(await shownTo(await signedIn(service, person)), idOf(second));
    clock.advance(1_000);
    await joinRecord(service, await service.owner(), person);
    const other = await signedIn(service, person);
    assert.equal(await shownTo(other), idOf(second), 'not in a new one');
    await other.post('/settings/account', { account: idOf(first) });
    assert.equal(await shownTo(await signedIn(service, person)), idOf(first));
  });

  test('stays in the one of the browser when they sign in there again', async () => {
    const { first, second, person, browser } = await bookkeeper();
    clock.advance(1_000);
    const other = await signedIn(service, person);
    await other.post('/settings/account', { account: idOf(first) });
    await browser.signIn(person.email);
    assert.equal(await shownTo(browser), idOf(second));
  });

  test('switches and stays on the page named, which is one of this service', async () => {
    const { first, browser } = await bookkeeper();
    const switchTo = (next: string) => browser.post('/settings/account', { account: idOf(first), next });
    assert.equal(place(await switchTo('/transactions')), '/transactions');
    assert.equal(place(await switchTo('https://elsewhere.test/')), '/settings?done=account_chosen');
    assert.equal(await shownTo(browser), idOf(first));
  });

  test('is told by v2 how many they share and which one is shown, as no key is', async () => {
    const { first, second, browser } = await bookkeeper();
    const { session } = (await browser.v2('GET', '/v2/me')).body;
    assert.deepEqual(session, { account_email: second.record.email, account_records: 2 });
    assert.equal((await first.v2('GET', '/v2/me')).body.session, null);
  });
});

test('the data export of a record with a name is named after it', async () => {
  const owner = await service.owner();
  await service.app.services.accountRecords.update(owner.record.id, { name: 'Harbour Cafe' });
  const browser = await signedIn(service, await addPerson(service, owner));
  const { headers } = await browser.get('/settings/export');
  assert.match(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="harbour-cafe-tributary-[\d-]+\.json"$/,
  );
});

describe('the list of all account records', () => {
  const listed = async (browser: Browser) => JSON.parse((await browser.get('/settings/accounts/list')).text);
  const holder = async (browser: Browser, id: string) =>
    JSON.parse((await browser.get(`/settings/accounts/holder?id=${id}`)).text).record;

  test('has those of the person, by name, and none of anyone else', async () => {
    const { first, second, browser } = await bookkeeper();
    await service.owner();
    const { accountRecords } = service.app.services;
    await accountRecords.update(first.record.id, { name: 'Zed Plumbing' });
    await accountRecords.update(second.record.id, { name: 'Acme Bakery' });
    assert.deepEqual(await listed(browser), {
      data: [
        { id: idOf(second), label: 'Acme Bakery', detail: second.record.email },
        { id: idOf(first), label: 'Zed Plumbing', detail: first.record.email },
      ],
      more: false,
    });
    assert.equal((await new Browser(service.url).get('/settings/accounts/list')).status, 401);
  });

  test('says what each needs, from what is stored, and each leads there after switching', async () => {
    const { first, second, browser } = await bookkeeper();
    const { db } = service.app.database;
    const id = parsePublicId('connection', await linkBank(first));
    assert.ok(id !== null);
    const set = (expires_at: Date) =>
      db.updateTable('consents').set({ expires_at }).where('connection', '=', id).execute();
    await set(new Date(clock.now() + 3 * 86_400_000));
    const card = async (record: TestOwner) => {
      const { text } = await browser.get('/settings/accounts');
      return text.split('<section').find((part) => part.includes(record.record.email)) ?? '';
    };
    assert.match(await card(first), /The consent of 1 connection ends soon/);
    assert.match(await card(second), /Nothing needs you here/);
    assert.match(await card(second), /shows this account record now/);
    await set(new Date(clock.now() - 1_000));
    const needy = await card(first);
    assert.match(needy, /1 connection has to be renewed/);
    assert.doesNotMatch(needy, /ends soon/);
    const [, account = '', next = ''] =
      /name="account" value="(\w+)"><input type="hidden" name="next" value="([^"]+)"/.exec(needy) ?? [];
    assert.equal(place(await browser.post('/settings/account', { account, next })), '/connections');
    assert.equal(await shownTo(browser), idOf(first));
  });

  test('counts syncs that fail or wait, and the rows that the last run of the others rejected', async () => {
    const { first, browser } = await bookkeeper();
    const { db } = service.app.database;
    const id = await addSync(first);
    const text = async () => (await browser.get('/settings/accounts')).text;
    assert.doesNotMatch(await text(), /rejected|needs attention/);
    await addRun(first, id, 7);
    await addRun(first, id, 2);
    assert.match(await text(), /2 rows were rejected in the last run/);
    await db.updateTable('syncs').set({ failed_runs: 1 }).where('id', '=', id).execute();
    assert.match(await text(), /1 sync fails or needs attention/);
    assert.doesNotMatch(await text(), /rejected/);
    await db.updateTable('syncs').set({ enabled: false }).where('id', '=', id).execute();
    assert.doesNotMatch(await text(), /rejected|needs attention/);
  });

  test('says which of their account records has a thing, and of any other one no more than of an unknown id', async () => {
    const { first, second, browser } = await bookkeeper();
    const stranger = await service.owner();
    const ruleset = async ({ v2 }: TestOwner): Promise<string> =>
      (await v2('POST', '/v2/rulesets', { name: 'Tidy' })).body.id;
    const theirs = await ruleset(first);
    assert.equal((await holder(browser, theirs)).id, idOf(first));
    assert.equal(await holder(browser, await ruleset(second)), null, 'which is shown already');
    const foreign = await browser.get(`/settings/accounts/holder?id=${await ruleset(stranger)}`);
    const unknown = await browser.get(`/settings/accounts/holder?id=${theirs.replace(/.{6}$/, 'aaaaaa')}`);
    assert.deepEqual([foreign.status, foreign.text], [unknown.status, unknown.text]);
    assert.equal(await holder(browser, 'no%00id'), null);
  });
});

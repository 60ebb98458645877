import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { CHOSEN_KINDS, NOTIFICATION_KINDS } from '../../../src/vocabulary/notification-kinds.ts';
import { until } from '../../features/linking/person.ts';
import { choose, happens, somebody, subscribed } from '../../features/notifications/stage.ts';
import { addPerson, type Page } from '../../support/people.ts';
import { SimulatedPushService } from '../../support/push-service.ts';
import { startService, type TestService } from '../../support/service.ts';

const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService({ LIMIT_NOTIFICATION_THRESHOLDS: '2' }, { clock });
});
after(() => service.close());

const PAGE = '/settings/notifications';
const place = (page: Page): string | null => page.headers.get('location');
const settingsOf = ({ owner, person }: Awaited<ReturnType<typeof somebody>>) =>
  service.app.notifying.notificationSettings.of({ owner: owner.record.id, user: person.id });

test('each member sees and changes their own choices', async () => {
  const one = await somebody(service);
  const other = await somebody(service, one.owner, 'reader');
  const { text } = await one.browser.get(PAGE);
  for (const kind of CHOSEN_KINDS) assert.ok(text.includes(`name="${kind}.email"`), kind);
  assert.match(text, /name="sync_attention\.email"[^>]* checked/);
  assert.match(text, /No mail server is set up here/);
  assert.equal(place(await choose(one, 'new_device.push', 'sync_attention.details')), `${PAGE}?done=saved`);
  const changed = await one.browser.get(PAGE);
  assert.doesNotMatch(changed.text, /name="sync_attention\.email"[^>]* checked/);
  assert.match(changed.text, /name="sync_attention\.details"[^>]* checked/);
  assert.match((await other.browser.get(PAGE)).text, /name="sync_attention\.email"[^>]* checked/);
});

test('what warns of strangers is turned off soon after signing in alone, and everything else at any time', async () => {
  const one = await somebody(service);
  const warnings = CHOSEN_KINDS.filter((kind) => NOTIFICATION_KINDS[kind].security).flatMap((kind) => [
    `${kind}.email`,
    `${kind}.push`,
  ]);
  assert.ok(warnings.length > 2);
  clock.advance(16 * 60_000);
  for (const silenced of warnings) {
    const rest = warnings.filter((box) => box !== silenced);
    assert.match(place(await choose(one, ...rest)) ?? '', /notice=fresh/, silenced);
  }
  assert.equal(place(await choose(one, ...warnings)), `${PAGE}?done=saved`);
  assert.equal((await settingsOf(one)).choices.get('sync_attention')?.email, false);
  await one.browser.signIn(one.person.email);
  assert.equal(place(await choose(one)), `${PAGE}?done=saved`);
  clock.advance(16 * 60_000);
  assert.equal(place(await choose(one)), `${PAGE}?done=saved`, 'nothing is turned off that was on');
  assert.equal(place(await choose(one, ...warnings)), `${PAGE}?done=saved`, 'turning on');
});

test('amounts are the member’s own, of their account record, and as many as allowed [limit notification_thresholds]', async () => {
  const one = await somebody(service);
  const other = await somebody(service, one.owner);
  const stranger = await somebody(service);
  const add = (amount: string, currency = 'aud', sync = '') =>
    one.browser.post(`${PAGE}/amounts`, { amount, currency, sync });
  for (const wrong of ['', '0', '-5', 'much', '1e9', '9'.repeat(19)]) {
    const { status, text } = await add(wrong);
    assert.deepEqual([status, text.includes('Write an amount above zero')], [400, true], wrong);
  }
  assert.equal((await add('10', 'dollars')).status, 400);
  assert.equal((await add('10', 'aud', 'sync_0000000000000000000000')).status, 404, 'no sync of theirs');
  assert.equal(place(await add('250.50')), `${PAGE}?done=amount_added`);
  assert.equal(place(await add('1000')), `${PAGE}?done=amount_added`, 'in place of the first');
  assert.equal(place(await add('5000', 'JPY')), `${PAGE}?done=amount_added`);
  assert.match((await add('1', 'nzd')).text, /There are 2 amounts already/);
  const { thresholds } = await settingsOf(one);
  assert.deepEqual(
    thresholds.map(({ amount, currency }) => [Number(amount), currency]),
    [
      [100_000, 'aud'],
      [5_000, 'jpy'],
    ],
  );
  assert.match((await one.browser.get(PAGE)).text, /1000\.00 AUD, all syncs/);
  assert.doesNotMatch((await other.browser.get(PAGE)).text, /1000\.00 AUD/);
  const [first] = thresholds;
  const address = `${PAGE}/amounts/${publicId('notification_threshold', first?.id ?? assert.fail())}/remove`;
  for (const { browser } of [other, stranger]) assert.equal((await browser.post(address)).status, 404);
  assert.equal(place(await one.browser.post(address)), `${PAGE}?done=amount_removed`);
  assert.equal((await settingsOf(one)).thresholds.length, 1);
});

test('browsers are listed by name and removed by their person alone, soon after signing in', async (t) => {
  const push = await SimulatedPushService.open(t);
  const one = await somebody(service);
  const other = await somebody(service, one.owner);
  const subscription = await subscribed(service, push, one);
  assert.match((await one.browser.get(PAGE)).text, /Firefox on Windows, since/);
  assert.doesNotMatch((await other.browser.get(PAGE)).text, /Firefox on Windows, since/);
  const tested = await one.browser.post(`${PAGE}/test`);
  assert.equal(place(tested), `${PAGE}?done=tested`);
  await until(
    async () => push.shownTo(subscription),
    (messages) => messages.length === 1,
  );
  assert.match((await one.browser.post(`${PAGE}/test`)).text, /Wait a minute between tests/);
  const [device] = (await settingsOf(one)).devices;
  const address = `${PAGE}/devices/${publicId('push_device', device?.id ?? assert.fail())}/remove`;
  assert.equal((await other.browser.post(address)).status, 404);
  clock.advance(16 * 60_000);
  assert.match(place(await one.browser.post(address)) ?? '', /notice=fresh/);
  assert.equal((await settingsOf(one)).devices.length, 1, 'an old session silences no one');
  await one.browser.signIn(one.person.email);
  assert.equal(place(await one.browser.post(address)), `${PAGE}?done=device_removed`);
  assert.deepEqual((await settingsOf(one)).devices, []);
  const { text } = await one.browser.get('/settings/activity');
  assert.match(text, /A browser was added to receive notifications/);
});

test('the page takes no form of another site, and nothing from a person who is signed out', async () => {
  const one = await somebody(service);
  const from = { 'sec-fetch-site': 'cross-site' };
  for (const path of ['/choices', '/amounts', '/test'])
    assert.equal(
      place(await one.browser.post(`${PAGE}${path}`, { amount: '1', currency: 'aud' }, from)),
      PAGE,
    );
  assert.match((await one.browser.get(PAGE)).text, /name="sync_attention\.email"[^>]* checked/);
  for (const name of ['push.js', 'worker.js']) {
    const script = await one.browser.get(`${PAGE}/${name}`);
    assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
  }
});

test('the export has what the person chose, without endpoints, and deletion leaves nothing', async (t) => {
  const push = await SimulatedPushService.open(t);
  const one = await somebody(service);
  await subscribed(service, push, one);
  await one.browser.post(`${PAGE}/amounts`, { amount: '99', currency: 'aud' });
  await happens(service, one.owner);
  await until(
    async () => (await settingsOf(one)).sent,
    (sent) => sent.some(({ kind }) => kind === 'sync_attention'),
  );
  const { text } = await one.browser.get('/settings/export');
  const { notifications } = JSON.parse(text);
  assert.equal(notifications.choices.sync_attention.email, true);
  assert.deepEqual(notifications.amounts[0].amount, { amount: 9_900, currency: 'aud' });
  assert.equal(notifications.browsers[0].browser, 'Firefox on Windows');
  assert.ok(notifications.sent.some(({ kind }: { readonly kind: string }) => kind === 'sync_attention'));
  assert.ok(!text.includes(push.url));
  const { db } = service.app.database;
  await service.app.accountRemoval.ask(one.owner.record.id, one.person.id);
  for (const table of [
    'notification_choices',
    'notification_thresholds',
    'push_devices',
    'notifications',
  ] as const) {
    const rows = await db.selectFrom(table).select('user_id').where('user_id', '=', one.person.id).execute();
    assert.deepEqual(rows, [], table);
  }
});

test('a member who is removed has no amounts and no notifications left in the account record', async () => {
  const one = await somebody(service);
  const person = await addPerson(service, one.owner);
  const { notificationSettings } = service.app.notifying;
  const member = { owner: one.owner.record.id, user: person.id };
  await notificationSettings.addThreshold(member, { sync: null, money: { amount: 5, currency: 'aud' } });
  await service.app.signIn.members.remove(member.owner, member.user);
  assert.deepEqual((await notificationSettings.of(member)).thresholds, []);
});

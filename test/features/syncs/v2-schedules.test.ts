import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { parsePublicId } from '../../../src/vocabulary/ids.ts';
import { sandboxBank } from '../../support/sandbox-bank.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { importedConnection, linkBank } from '../linking/person.ts';
import { Receiver } from '../sync-engine/support/receiver.ts';

const DAY = 86_400_000;
const AUCKLAND = { times: ['18:30', '08:00'], timezone: 'Pacific/Auckland' };
const clock = new ShiftedClock();
const receivers: Receiver[] = [];
let service: TestService;
let owner: TestOwner;
let account: string;
before(async () => {
  // Time is moved on by hand, so the tests do what a scheduler would.
  service = await startService({ LIMIT_SYNC_SCHEDULE_TIMES: '3', ROLES: 'api,worker' }, { clock });
  owner = await service.owner();
  const connection = await importedConnection(owner, await linkBank(owner, { customer: 'dormant' }));
  account = connection.accounts[0].id;
});
after(async () => {
  await service.close();
  for (const receiver of receivers) await receiver.close();
});

async function newSync(more: object = {}): Promise<{ readonly receiver: Receiver; readonly answer: Json }> {
  const receiver = await new Receiver().open();
  receivers.push(receiver);
  const target = { url: receiver.url };
  const { body } = await owner.v2('POST', '/v2/destinations', { type: 'webhook', name: 'books', target });
  receiver.secrets = [body.config.signing_secret];
  const answer = await owner.v2('POST', '/v2/syncs', {
    type: 'transactions',
    name: 'books',
    destination: body.id,
    accounts: [account],
    mapping_mode: 'bulk',
    run_now: false,
    ...more,
  });
  return { receiver, answer };
}

async function made(more: object = {}): Promise<{ readonly receiver: Receiver; readonly sync: Json }> {
  const { receiver, answer } = await newSync(more);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { receiver, sync: answer.body };
}

async function finished(run: Json): Promise<Json> {
  const until = Date.now() + 60_000;
  for (;;) {
    const { body } = await owner.v2('GET', `/v2/sync_runs/${run.id}?include[]=account_results`);
    if (body.completed_at !== null) return body;
    assert.ok(Date.now() < until, 'the run did not end');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What the clocks of a zone show at a moment. */
function shownAt(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(new Date(moment));
}

describe('the schedule of a sync over v2', () => {
  test('is shown in order, decides when the sync runs, and is followed at once when it changes', async () => {
    const { sync } = await made({ schedule: AUCKLAND });
    assert.deepEqual(sync.schedule, { times: ['08:00', '18:30'], timezone: 'Pacific/Auckland' });
    const shown = [];
    let next: string = sync.next_run_at;
    const id = parsePublicId('sync', sync.id) ?? assert.fail();
    for (let round = 0; round < 2; round++) {
      const wait = Date.parse(next) - clock.now();
      assert.ok(wait > 0 && wait <= 15 * 3_600_000);
      shown.push(shownAt(next, 'Pacific/Auckland'));
      clock.advance(wait);
      await service.app.services.syncRuns.startDue(owner.record.id, id);
      const { body } = await owner.v2('GET', `/v2/syncs/${sync.id}?include[]=latest_run`);
      assert.equal((await finished(body.latest_run)).trigger, 'schedule');
      next = (await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.next_run_at;
    }
    assert.deepEqual(shown.toSorted(), ['08:00', '18:30']);

    const change = async (body: object) => (await owner.v2('PATCH', `/v2/syncs/${sync.id}`, body)).body;
    const daily = await change({ schedule: { times: ['04:15'], timezone: 'Asia/Kathmandu' } });
    assert.equal(shownAt(daily.next_run_at, 'Asia/Kathmandu'), '04:15');
    assert.ok(Date.parse(daily.next_run_at) - clock.now() <= DAY);
    const named = await change({ name: 'Other' });
    assert.deepEqual([named.schedule, named.next_run_at], [daily.schedule, daily.next_run_at]);
    const twoDays = await change({ schedule: { interval_minutes: 2880 } });
    assert.deepEqual(twoDays.schedule, { interval_minutes: 2880 });
    assert.equal((await change({ enabled: false })).next_run_at, null);
    const resting = await change({ schedule: AUCKLAND });
    assert.deepEqual([resting.enabled, resting.next_run_at], [false, null]);
    assert.ok((await change({ enabled: true })).next_run_at !== null);
    const usual = await change({ schedule: null });
    assert.equal(usual.schedule, null);
    assert.ok(Date.parse(usual.next_run_at) - clock.now() <= 6 * 3_600_000);
  });

  test('is refused where it is not one, or runs too often, with a message that names the bound', async () => {
    const { sync } = await made();
    const zone = { timezone: 'Pacific/Auckland' };
    const wrong: ReadonlyArray<readonly [object, string, RegExp]> = [
      [{}, 'schedule', /interval_minutes, or times and timezone/],
      [{ interval_minutes: 400, ...AUCKLAND }, 'schedule', /either/],
      [{ interval_minutes: 359 }, 'schedule.interval_minutes', /between 360 and 10080/],
      [{ interval_minutes: 20_000 }, 'schedule.interval_minutes', /10080/],
      [{ interval_minutes: 400.5 }, 'schedule.interval_minutes', /integer/],
      [{ times: [], ...zone }, 'schedule.times', /1/],
      [{ times: ['08:00', '8:30'], ...zone }, 'schedule.times[1]', /such as 08:30/],
      [{ times: ['24:00'], ...zone }, 'schedule.times[0]', /00:00 to 23:59/],
      [{ times: ['08:00', '08:00'], ...zone }, 'schedule.times', /08:00 more than once/],
      [{ times: ['08:00', '13:59'], ...zone }, 'schedule.times', /every 360 minutes.* 359 minutes apart/],
      [{ times: ['23:00', '03:00'], ...zone }, 'schedule.times', / 240 minutes apart/],
      [{ times: ['08:00'], timezone: 'Mars/Olympus' }, 'schedule.timezone', /IANA/],
      [{ times: ['08:00'], timezone: '+12:00' }, 'schedule.timezone', /IANA/],
      [{ times: ['08:00'], timezone: 'JST' }, 'schedule.timezone', /IANA/],
      [{ minutes: 400 }, 'schedule.minutes', /not a parameter/],
    ];
    for (const [schedule, param, message] of wrong) {
      for (const answer of [
        await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { schedule }),
        (await newSync({ schedule })).answer,
      ]) {
        const { error } = answer.body;
        assert.deepEqual([answer.status, error?.code, error?.param], [400, 'parameter_invalid', param]);
        assert.match(error.message, message);
      }
    }
    for (const [schedule, param] of [
      [{ times: ['08:00'] }, 'schedule.timezone'],
      [zone, 'schedule.times'],
    ] as const) {
      const { status, body } = await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { schedule });
      assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'parameter_missing', param]);
    }
    assert.equal((await owner.v2('GET', `/v2/syncs/${sync.id}`)).body.schedule, null);
  });

  test('has as many times as it may and not one more [limit sync_schedule_times]', async () => {
    const timezone = 'UTC';
    const { sync } = await made({ schedule: { times: ['00:00', '08:00', '16:00'], timezone } });
    const schedule = { times: ['00:00', '06:00', '12:00', '18:00'], timezone };
    const { status, body } = await owner.v2('PATCH', `/v2/syncs/${sync.id}`, { schedule });
    assert.deepEqual([status, body.error?.param], [400, 'schedule.times']);
    assert.match(body.error.message, /more than 3 items/);
  });
});

describe('a backfill over v2', () => {
  const day = (ago: number): string => new Date(clock.now() - ago * DAY).toISOString().slice(0, 10);

  test('is a run that shows its range, queued once for one key, and delivers what its days lack', async () => {
    const { sync, receiver } = await made({ run_now: true });
    await finished(sync.latest_run);
    const standing = receiver.rows().size;
    const upstream = sandboxBank(service.app);
    const at = new Date(clock.now() - 100 * DAY).toISOString();
    const [atBank = ''] = upstream.consents().flatMap(({ accountIds }) => accountIds);
    upstream.appendTransactions(atBank, [
      { amount: '-10.00', description: 'back-dated', executedAt: at, postedAt: at },
    ]);
    const path = `/v2/syncs/${sync.id}/backfill`;
    const body = { from: day(103), to: day(97) };
    const headers = { 'idempotency-key': 'fill-1' };
    const first = await owner.v2('POST', path, body, headers);
    assert.deepEqual(
      [first.status, first.body.object, first.body.trigger, first.body.range],
      [202, 'sync_run', 'api', body],
    );
    const again = await owner.v2('POST', path, body, headers);
    assert.equal(again.body.id, first.body.id);
    const run = await finished(first.body);
    assert.deepEqual([run.status, run.counts.added, run.range], ['succeeded', 1, body]);
    assert.deepEqual(
      run.account_results.map((line: Json) => line.status),
      ['succeeded'],
    );
    assert.equal(receiver.rows().size, standing + 1);
    const open = await owner.v2('POST', path, { from: day(50) });
    assert.deepEqual(open.body.range, { from: day(50), to: open.body.range.to });
    assert.ok([day(0), day(-1)].includes(open.body.range.to), 'today where the account record is');
    await finished(open.body);
    const future = await owner.v2('POST', path, { from: day(50), to: '2999-12-31' });
    assert.deepEqual(future.body.range, open.body.range);
    await finished(future.body);
  });

  test('of days that cannot be filled in is refused, and says what can be done', async () => {
    const { sync } = await made();
    const path = `/v2/syncs/${sync.id}/backfill`;
    const first: string = sync.options.data_from;
    const refusals: ReadonlyArray<readonly [object, string, string, RegExp]> = [
      [{}, 'parameter_missing', 'from', /required/],
      [{ from: '2026-02-30' }, 'parameter_invalid', 'from', /a day such as/],
      [{ from: day(9), to: 'yesterday' }, 'parameter_invalid', 'to', /a day such as/],
      [{ from: day(9), to: day(10) }, 'invalid_date_range', 'from', /after to/],
      [{ from: '2999-01-01' }, 'invalid_date_range', 'from', /after today/],
      [{ from: '1999-01-01' }, 'from_too_old', 'from', /reaches back to/],
      [{ from: day(400) }, 'parameter_invalid', 'from', new RegExp(`${first}.*move options.data_from back`)],
    ];
    for (const [body, code, param, message] of refusals) {
      const { status, body: answer } = await owner.v2('POST', path, body);
      assert.deepEqual([status, answer.error?.code, answer.error?.param], [400, code, param]);
      assert.match(answer.error.message, message);
    }
    assert.equal((await owner.v2('POST', path, { from: first })).status, 202, 'the first day itself');
  });
});

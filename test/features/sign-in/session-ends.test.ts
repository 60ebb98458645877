import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { addPerson, Browser, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { SseClient } from '../../surfaces/v2/server-sent.ts';
import { until } from '../linking/person.ts';

const DAY = 86_400_000;

const status = async (browser: Browser): Promise<number> => (await browser.v2('GET', '/v2/me')).status;

describe('a session', () => {
  const clock = new ShiftedClock();
  let service: TestService;
  let owner: TestOwner;
  before(async () => {
    service = await startService(
      { LIMIT_SESSION_IDLE_DAYS: '2', LIMIT_SESSION_DAYS: '5', LIMIT_SESSIONS_PER_USER: '2' },
      { clock },
    );
    owner = await service.owner();
  });
  after(() => service.close());
  const person = () => addPerson(service, owner);

  test('ends when no one uses it for so many days, and not when someone does [limit session_idle_days]', async () => {
    const [used, unused] = [await signedIn(service, await person()), await signedIn(service, await person())];
    clock.advance(1.5 * DAY);
    assert.equal(await status(used), 200);
    clock.advance(1 * DAY);
    assert.deepEqual([await status(used), await status(unused)], [200, 401]);
  });

  test('that another process uses stays, and one that no one uses is deleted', async () => {
    const [elsewhere, unused] = [await person(), await person()];
    const [used] = [await signedIn(service, elsewhere), await signedIn(service, unused)];
    assert.equal(await status(used), 200);
    clock.advance(2.5 * DAY);
    const seen = new Date(clock.now());
    await service.app.database.db
      .updateTable('web_sessions')
      .set({ last_seen_at: seen })
      .where('user_id', '=', elsewhere.id)
      .execute();
    assert.equal(await status(used), 200);
    await service.app.signIn.sweep();
    const left = await service.app.database.db.selectFrom('web_sessions').select('user_id').execute();
    assert.deepEqual(
      [elsewhere, unused].map(({ id }) => left.some((row) => row.user_id === id)),
      [true, false],
    );
  });

  test('ends after so many days however often it is used [limit session_days]', async () => {
    const browser = await signedIn(service, await person());
    for (let day = 0; day < 4; day += 1) {
      clock.advance(1.2 * DAY);
      assert.equal(await status(browser), 200);
    }
    clock.advance(0.3 * DAY);
    assert.equal(await status(browser), 401);
  });

  test('too many ends the one unused for longest [limit sessions_per_user]', async () => {
    const someone = await person();
    const first = await signedIn(service, someone);
    clock.advance(60_000);
    const second = await signedIn(service, someone);
    clock.advance(60_000);
    assert.equal(await status(first), 200);
    await service.app.signIn.sessionAuthenticator.flushLastUsed();
    clock.advance(60_000);
    const third = await signedIn(service, someone);
    assert.deepEqual([await status(first), await status(second), await status(third)], [200, 401, 200]);
  });

  test('is known by the cookie alone: a bearer token beside it is judged on its own', async () => {
    const browser = await signedIn(service, await person());
    const refused = await browser.v2('GET', '/v2/me', undefined, { authorization: 'Bearer nonsense' });
    assert.deepEqual([refused.status, refused.body.error.code], [401, 'api_key_invalid']);
    const other = await service.owner();
    const { body } = await browser.v2('GET', '/v2/me', undefined, { authorization: `Bearer ${other.key}` });
    assert.equal(body.id, publicId('account_record', other.record.id));
  });

  test('opens v2 and nothing else that takes a credential', async () => {
    const browser = await signedIn(service, await person());
    assert.equal((await browser.get('/v1/accounts')).status, 401);
    assert.equal((await browser.get('/simplefin/accounts')).status, 403);
  });
});

describe('signing out', () => {
  let service: TestService;
  let owner: TestOwner;
  before(async () => {
    service = await startService();
    owner = await service.owner();
  });
  after(() => service.close());

  test('everywhere ends every session of the person and no one else’s', async () => {
    const someone = await addPerson(service, owner);
    const browsers = [await signedIn(service, someone), await signedIn(service, someone)];
    const other = await signedIn(service, await addPerson(service, owner));
    const [one] = browsers;
    assert.ok(one);
    assert.equal((await one.post('/settings/security/sessions/end-all')).status, 303);
    assert.equal(one.cookies.has('tributary'), false);
    for (const browser of browsers) assert.equal(await status(browser), 401);
    assert.equal(await status(other), 200);
  });

  test('another browser ends that one alone, and only of oneself', async () => {
    const someone = await addPerson(service, owner);
    const [here, there] = [await signedIn(service, someone), await signedIn(service, someone)];
    const stranger = await signedIn(service, await addPerson(service, await service.owner()));
    const { text } = await here.get('/settings/security');
    const address = /action="([^"]+\/sessions\/ses_\w+\/end)"/.exec(text)?.[1] ?? '';
    assert.equal((await stranger.post(address)).status, 303);
    assert.equal(await status(there), 200);
    assert.equal((await here.post(address)).status, 303);
    assert.deepEqual([await status(here), await status(there)], [200, 401]);
  });

  test('ends a stream of events that the session opened, at once', async () => {
    const browser = await signedIn(service, await addPerson(service, owner));
    const client = await SseClient.open(service.url, '', {
      headers: { authorization: '', cookie: browser.cookie },
    });
    assert.equal(client.response.status, 200);
    await browser.post('/sign-out');
    await client.end();
  });
});

const skip = (process.env.DATABASE_URL ?? '') === '' ? 'needs a Postgres server in DATABASE_URL' : false;

describe('Two processes on one database', { skip }, () => {
  let first: TestService;
  let second: TestService;
  let owner: TestOwner;
  before(async () => {
    const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    first = await startService(settings);
    second = await startService({ ...settings, DATABASE_URL: first.app.config.databaseUrl ?? '' });
    owner = await first.owner();
  });
  after(async () => {
    await second.close();
    await first.close();
  });

  test('both refuse a session that was ended at one of them, at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const here = await signedIn(first, await addPerson(first, owner));
      const there = new Browser(second.url);
      for (const [name, value] of here.cookies) there.cookies.set(name, value);
      assert.deepEqual([await status(here), await status(there)], [200, 200], 'both remember it');
      await here.post('/sign-out');
      await until(
        () => status(there),
        (found) => found === 401,
      );
    }
  });
});

import assert from 'node:assert/strict';
import { argon2Sync, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { PasswordChecks } from '../../../src/features/sign-in/passwords.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { addPerson, Browser, PASSWORD, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

const NEW = 'another staple entirely';

let service: TestService;
let owner: TestOwner;
before(async () => {
  service = await startService();
  owner = await service.owner();
});
after(() => service.close());

const hashOf = async ({ id }: { readonly id: string }): Promise<string | null> => {
  const rows = await service.app.database.db.selectFrom('users').selectAll().execute();
  return rows.find((row) => row.id === id)?.password_hash ?? null;
};

test('a hash of former parameters is replaced when its person signs in, and the password stays', async () => {
  const person = await addPerson(service, owner);
  const nonce = randomBytes(16);
  const cost = { parallelism: 1, memory: 64, passes: 1 };
  const old = argon2Sync('argon2id', { ...cost, message: PASSWORD, nonce, tagLength: 32 });
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const before = `$argon2id$v=19$m=64,t=1,p=1$${base64(nonce)}$${base64(old)}`;
  const { db } = service.app.database;
  await db.updateTable('users').set({ password_hash: before }).where('id', '=', person.id).execute();
  assert.equal((await new Browser(service.url).signIn(person.email, NEW)).status, 401);
  assert.equal(await hashOf(person), before);
  await signedIn(service, person);
  assert.match((await hashOf(person)) ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await signedIn(service, person);
});

describe('changing the password', () => {
  const change = (browser: Browser, current: string, password: string) =>
    browser.post('/settings/security/password', { current, password });

  test('needs the current one, and ends every other session', async () => {
    const person = await addPerson(service, owner);
    const [here, there] = [await signedIn(service, person), await signedIn(service, person)];
    const wrong = await change(here, 'wrong horse battery', NEW);
    assert.deepEqual([wrong.status, wrong.text.includes('current password is wrong')], [400, true]);
    const done = await change(here, PASSWORD, NEW);
    assert.equal(done.headers.get('location'), '/settings/security?done=password_changed');
    assert.equal((await here.v2('GET', '/v2/me')).status, 200);
    assert.equal((await there.v2('GET', '/v2/me')).status, 401);
    assert.equal((await new Browser(service.url).signIn(person.email)).status, 401);
    assert.equal((await new Browser(service.url).signIn(person.email, NEW)).status, 303);
  });

  test('refuses one that is short, of few characters, too long, or the e-mail address', async () => {
    const person = await addPerson(service, owner, { email: 'somebody.long@example.test' });
    const here = await signedIn(service, person);
    for (const password of ['short one', 'aaaaaaaaaaaaaa', `${'abcd efgh '.repeat(20)}x`, person.email]) {
      const refused = await change(here, PASSWORD, password);
      assert.equal(refused.status, 400, password);
    }
    const longest = 'abcd efgh '.repeat(20);
    assert.equal((await change(here, PASSWORD, longest)).status, 303);
    assert.equal((await new Browser(service.url).signIn(person.email, longest)).status, 303);
    assert.equal((await new Browser(service.url).signIn(person.email, `${longest}x`)).status, 401);
  });

  test('leaves no one signed in who signed in with the former one meanwhile', async () => {
    const person = await addPerson(service, owner);
    const here = await signedIn(service, person);
    const others = Array.from({ length: 6 }, () => new Browser(service.url));
    const signing = others.map((other) => other.signIn(person.email));
    const [changed] = await Promise.all([change(here, PASSWORD, NEW), ...signing]);
    assert.equal(changed.status, 303);
    for (const other of others) {
      if (other.cookies.has('tributary')) assert.equal((await other.v2('GET', '/v2/me')).status, 401);
    }
  });

  test('does not serve for guessing the current one', async (t) => {
    const strict = await startService({ LIMIT_SIGN_IN_ATTEMPTS: '4' });
    t.after(() => strict.close());
    const person = await addPerson(strict, await strict.owner());
    const here = await signedIn(strict, person);
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await change(here, `wrong horse ${at}`, NEW)).status);
    assert.deepEqual(statuses, [400, 400, 400, 400, 429]);
  });
});

test('so many passwords are checked at once, for all networks together', async () => {
  const checks = new PasswordChecks({
    ...DEFAULT_LIMITS,
    password_checks_at_once: 1,
    password_checks_waiting: 4,
  });
  const [salt, hash] = [16, 32].map((bytes) => randomBytes(bytes).toString('base64').replace(/=+$/, ''));
  const done: string[] = [];
  // Side by side the last, which takes a thousandth of the others, would be the first.
  await Promise.all(
    ['m=19456,t=16', 'm=19456,t=15', 'm=64,t=1'].map(async (cost, at) => {
      await checks.verify(PASSWORD, `$argon2id$v=19$${cost},p=1$${salt}$${hash}`, `192.0.2.${at}`);
      done.push(cost);
    }),
  );
  assert.deepEqual(done, ['m=19456,t=16', 'm=19456,t=15', 'm=64,t=1'], 'they ran one after another');
});

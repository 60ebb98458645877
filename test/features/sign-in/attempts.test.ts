import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson, Browser, PASSWORD } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

const WRONG = 'wrong horse battery';

describe('attempts to sign in', () => {
  let service: TestService;
  let owner: TestOwner;
  let addresses = 0;
  before(async () => {
    service = await startService({
      TRUST_PROXY: '1',
      LIMIT_SIGN_IN_ATTEMPTS: '3',
      LIMIT_SIGN_IN_ADDRESS_ATTEMPTS: '8',
      LIMIT_SIGN_IN_ACCOUNT_ATTEMPTS: '12',
      LIMIT_PASSWORD_CHECKS_WAITING: '1000',
    });
    owner = await service.owner();
  });
  after(() => service.close());
  /** A browser in a network that no one asked from before. */
  const browser = (): Browser => {
    addresses += 1;
    return new Browser(service.url, `203.0.113.${addresses}`);
  };
  const tries = async (from: Browser, email: string, count: number): Promise<number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) statuses.push((await from.signIn(email, WRONG)).status);
    return statuses;
  };

  test('at one e-mail address from one network are so many, known or unknown, right or wrong [limit sign_in_attempts]', async () => {
    const person = await addPerson(service, owner);
    for (const email of [person.email, 'nobody@example.test']) {
      const from = browser();
      assert.deepEqual(await tries(from, email, 4), [401, 401, 401, 429]);
      const refused = await from.signIn(email, PASSWORD);
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers.get('retry-after')) > 60, 'the window is minutes long');
    }
  });

  test('made at once are counted like those made in turn', async () => {
    const person = await addPerson(service, owner);
    const from = browser();
    const answers = await Promise.all(Array.from({ length: 12 }, () => from.signIn(person.email, WRONG)));
    assert.equal(answers.filter(({ status }) => status === 401).length, 3);
  });

  test('from one network are so many whatever address they name [limit sign_in_address_attempts]', async () => {
    const from = browser();
    const statuses: number[] = [];
    for (let at = 0; at < 9; at += 1)
      statuses.push((await from.signIn(`guess${at}@example.test`, WRONG)).status);
    assert.deepEqual(statuses, [...Array(8).fill(401), 429]);
  });

  test('someone elsewhere cannot lock a person out: not from another network, nor in a browser they know', async () => {
    const person = await addPerson(service, owner);
    const home = browser();
    assert.equal((await home.signIn(person.email)).status, 303);
    assert.deepEqual(await tries(browser(), person.email, 5), [401, 401, 401, 429, 429]);
    assert.equal((await browser().signIn(person.email)).status, 303, 'a new browser in another network');
  });

  test('from many networks at one address are so many, and the browsers the person knows still work [limit sign_in_account_attempts]', async () => {
    const person = await addPerson(service, owner);
    const home = browser();
    assert.equal((await home.signIn(person.email)).status, 303);
    let refused = 0;
    for (let at = 0; at < 5; at += 1) {
      refused += (await tries(browser(), person.email, 3)).filter((status) => status === 429).length;
    }
    assert.equal(refused, 4, 'the sign-in and 11 of 15 attempts are within 12');
    assert.equal((await browser().signIn(person.email)).status, 429, 'a new browser has to wait');
    assert.equal((await home.signIn(person.email)).status, 303);
  });

  test('in the network of the attacker the browser that the person knows still works', async () => {
    const person = await addPerson(service, owner);
    const home = browser();
    assert.equal((await home.signIn(person.email)).status, 303);
    const attacker = new Browser(service.url, `203.0.113.${addresses}`);
    await tries(attacker, person.email, 10);
    assert.equal((await home.signIn(person.email)).status, 303);
  });

  test('a browser proves nothing for another person, and a made-up proof proves nothing', async () => {
    const [person, victim] = [await addPerson(service, owner), await addPerson(service, owner)];
    const from = browser();
    assert.equal((await from.signIn(person.email)).status, 303);
    const proof = from.cookies.get('tributary-device') ?? '';
    assert.match(proof, /^[\w-]{22}\.[\w-]{22}$/);
    assert.deepEqual(await tries(from, victim.email, 4), [401, 401, 401, 429]);
    from.cookies.set('tributary-device', `${'A'.repeat(22)}.${proof.slice(23)}`);
    assert.equal((await from.signIn(victim.email)).status, 429);
  });

  test('a browser that the person knows has a budget, too: someone else may have it by now', async () => {
    const person = await addPerson(service, owner);
    const home = browser();
    assert.equal((await home.signIn(person.email)).status, 303);
    assert.deepEqual(await tries(home, person.email, 4), [401, 401, 401, 429]);
  });
});

describe('a flood of sign-ins', () => {
  test('from one network leaves room for the others, and is refused beyond its share of the places [limit password_checks_waiting] [limit password_checks_at_once]', async (t) => {
    const service = await startService({
      TRUST_PROXY: '1',
      LIMIT_PASSWORD_CHECKS_AT_ONCE: '1',
      LIMIT_PASSWORD_CHECKS_WAITING: '8',
    });
    t.after(() => service.close());
    const person = await addPerson(service, await service.owner());
    const greedy = new Browser(service.url, '203.0.113.1');
    const flood = Array.from({ length: 60 }, (_, at) => greedy.signIn(`guess${at}@example.test`, WRONG));
    const other = await new Browser(service.url, '203.0.113.2').signIn(person.email);
    assert.equal(other.status, 303);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    assert.ok(statuses.includes(401) && statuses.includes(429), statuses.join(' '));
    assert.ok(statuses.every((status) => status === 401 || status === 429));
  });
});

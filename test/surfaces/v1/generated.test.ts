import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { V1Endpoint } from '../../../src/operations/v1/endpoint.ts';
import { V1_ENDPOINTS } from '../../../src/operations/v1/endpoint-table.ts';
import { startService, type TestService } from '../../support/service.ts';
import { generated } from '../../support/thorough.ts';
import type { Json } from '../../support/v2-client.ts';
import { departures, goldenOf } from './support/golden.ts';
import { linkAll } from './support/linked.ts';
import { type V1Client, v1Client } from './support/v1-client.ts';

const NOBODYS = '01900000-0000-7000-8000-000000000001';
const SECRET = 'trib_live_zQxJvKwPzQxJvKwPzQxJvKwPzQxJvKwPzQxJ';
const golden = goldenOf('error');

/** What each parameter that names something names. */
const NAMES: Readonly<Record<string, 'connection' | 'account'>> = {
  connectionId: 'connection',
  accountId: 'account',
  accountIds: 'account',
};

interface Owned {
  readonly v1: V1Client;
  readonly connection: string;
  readonly account: string;
}

/** Every endpoint of the table, whatever is added to it: none lets anyone see more, and none can be brought down. */
describe('the endpoints of v1, by the table', () => {
  let service: TestService;
  let logged = '';
  const mine = new Map<string, Owned>();
  const theirs = new Map<string, Owned>();

  before(async () => {
    const destination = {
      write: (line: string) => {
        logged += line;
      },
    };
    service = await startService({ LOG_LEVEL: 'debug' }, { destination });
    for (const people of [mine, theirs]) {
      const owner = await service.owner();
      const v1 = v1Client(service, owner);
      await linkAll(service, owner, [
        { provider: 'au_banking', customer: 'dormant' },
        { provider: 'brokerage', customer: 'cash-only' },
      ]);
      const categories = new Map(
        (await v1('/connections')).body.data.map((one: Json) => [one.id, one.category]),
      );
      for (const { id, connectionId } of (await v1('/accounts')).body.data) {
        people.set(String(categories.get(connectionId)), { v1, connection: connectionId, account: id });
      }
    }
  });
  after(() => service.close());

  const categoryOf = ({ planGate }: V1Endpoint): string =>
    planGate === 'brokerage_data' ? 'brokerage' : 'banking';
  const of = (people: ReadonlyMap<string, Owned>, endpoint: V1Endpoint): Owned =>
    people.get(categoryOf(endpoint)) ?? assert.fail(endpoint.id);
  const named = ({ query }: V1Endpoint): string[] =>
    Object.keys(query.properties).filter((name) => name in NAMES);
  /** Names what is one's own, except where `other` says otherwise. */
  const asking = (endpoint: V1Endpoint, own: Owned, other: Readonly<Record<string, string>> = {}): string => {
    const search = new URLSearchParams();
    for (const name of named(endpoint)) {
      // accountIds goes before accountId, which would not be looked at.
      if (name === 'accountIds' && Object.hasOwn(other, 'accountId')) continue;
      search.set(name, other[name] ?? own[NAMES[name] ?? 'account']);
    }
    return `${endpoint.path.slice('/v1'.length)}?${search}`;
  };

  for (const endpoint of V1_ENDPOINTS) {
    test(`${endpoint.id} answers its owner, and no one without a key`, async () => {
      const own = of(mine, endpoint);
      const answer = await own.v1(asking(endpoint, own));
      assert.equal(answer.status, 200, answer.text);
      const stranger = await v1Client(service, { key: SECRET })(asking(endpoint, own));
      assert.deepEqual([stranger.status, departures(golden, stranger.body)], [401, []]);
    });

    for (const name of named(endpoint)) {
      test(`${endpoint.id}: another owner's id in ${name} is answered exactly as an id that no one has`, async () => {
        const own = of(mine, endpoint);
        const victim = of(theirs, endpoint)[NAMES[name] ?? 'account'];
        const foreign = await own.v1(asking(endpoint, own, { [name]: victim }));
        const unknown = await own.v1(asking(endpoint, own, { [name]: NOBODYS }));
        const malformed = await own.v1(asking(endpoint, own, { [name]: 'nonsense' }));
        assert.equal(foreign.status, 404, foreign.text);
        assert.equal(foreign.text, unknown.text);
        assert.equal(foreign.text, malformed.text);
        assert.deepEqual(departures(golden, foreign.body), []);
      });
    }

    test(`${endpoint.id}: hostile parameters are answered in the form of v1, and never by a fault`, async () => {
      const own = of(mine, endpoint);
      const parameters = Object.keys(endpoint.query.properties);
      const hostile = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom(
          "' or 1=1 --",
          '../../etc/passwd',
          '\u0000',
          '%00',
          '__proto__',
          '{"$ne":null}',
          '9'.repeat(400),
          '-1e309',
          'true,false',
          '0001-01-01',
          '9999-12-31T23:59:59.999999999999Z',
          '+275760-09-13',
          `${NOBODYS},`.repeat(90),
        ),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom(...parameters, '__proto__', 'constructor', 'x'), hostile), {
            maxLength: 4,
          }),
          async (pairs) => {
            const search = new URLSearchParams();
            for (const name of named(endpoint)) search.set(name, own[NAMES[name] ?? 'account']);
            for (const [name, value] of pairs) {
              if (Math.abs(value.length) % 2 === 0) search.set(name, value.toWellFormed());
              else search.append(name, value.toWellFormed());
            }
            const answer = await own.v1(`${endpoint.path.slice('/v1'.length)}?${search}`);
            assert.ok(answer.status < 500, `${search}: ${answer.text}`);
            if (answer.status !== 200) assert.deepEqual(departures(golden, answer.body), [], answer.text);
            assert.ok(!/\.ts:\d+| at .*\(/.test(answer.text), 'no stack trace');
          },
        ),
        { numRuns: generated(25) },
      );
    });

    test(`${endpoint.id}: what a request carries is not in the log, whether it is let in or refused`, async () => {
      const own = of(mine, endpoint);
      const path = asking(endpoint, own, { accountId: SECRET });
      await own.v1(path);
      await v1Client(service, { key: SECRET })(path, { cookie: `session=${SECRET}`, 'x-secret': SECRET });
      assert.ok(!logged.includes('zQxJvKwP'), 'a secret is in the log');
    });
  }

  test('no parameter looks like an id and is not asked about here', () => {
    for (const { id, query } of V1_ENDPOINTS) {
      for (const name of Object.keys(query.properties)) {
        assert.ok(
          name in NAMES || !/id/i.test(name) || name === 'includePending',
          `Say in NAMES what ${name} of ${id} names.`,
        );
      }
    }
  });
});

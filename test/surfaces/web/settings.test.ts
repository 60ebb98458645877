import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dataExport } from '../../../src/operations/data-export/data-export.ts';
import { EXPORTED_LISTS, NOT_EXPORTED } from '../../../src/operations/data-export/exported-lists.ts';
import { OPERATIONS } from '../../../src/operations/operation-table.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { localDateAt } from '../../../src/vocabulary/moments.ts';
import type { Scope } from '../../../src/vocabulary/scopes.ts';
import { importedConnection, linkBank } from '../../features/linking/person.ts';
import { addPerson, Browser, PASSWORD, type Page, signedIn } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';

const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService({}, { clock });
});
after(() => service.close());

async function somebody(role: 'owner' | 'reader' = 'owner') {
  const owner = await service.owner();
  const person = await addPerson(service, owner, { role });
  return { owner, person, browser: await signedIn(service, person) };
}

const place = (page: Page): string | null => page.headers.get('location');
const recordOf = ({ record }: TestOwner) => service.app.services.accountRecords.find(record.id);

describe('/settings', () => {
  test('lets a person change the address they sign in with, by their password alone', async () => {
    const { person, browser } = await somebody();
    const elsewhere = await signedIn(service, person);
    const taken = await addPerson(service, await service.owner());
    const send = (email: string, current = PASSWORD) => browser.post('/settings/email', { email, current });
    const wrong = await send('new@example.test', 'not the password');
    assert.deepEqual([wrong.status, wrong.text.includes('The current password is wrong.')], [400, true]);
    assert.match((await send(taken.email.toUpperCase())).text, /A person signs in with this e-mail address/);
    assert.match((await send('no address')).text, /not an e-mail address/);
    assert.equal(place(await send('New@example.test')), '/settings?done=email_changed');
    assert.match((await browser.get('/settings?done=email_changed')).text, /Signed in as New@example\.test/);
    assert.equal((await elsewhere.v2('GET', '/v2/me')).status, 401, 'other browsers are signed out');
    assert.equal((await new Browser(service.url).signIn(person.email)).status, 401);
    assert.equal((await new Browser(service.url).signIn('new@example.test')).status, 303);
  });

  test('changes the time zone and the caching of the account record, for owners alone', async () => {
    const { owner, browser } = await somebody();
    assert.equal((await browser.post('/settings/timezone', { timezone: 'Pacific/Auckland' })).status, 303);
    assert.equal((await browser.post('/settings/caching', { caching: 'off' })).status, 303);
    const { timezone, caching } = await recordOf(owner);
    assert.deepEqual([timezone, caching], ['Pacific/Auckland', false]);
    const { text } = await browser.get('/settings');
    assert.match(text, /<option value="Pacific\/Auckland" selected>/);
    assert.match(text, /value="off" checked/);
    assert.equal((await browser.post('/settings/timezone', { timezone: 'Mars/Olympus' })).status, 400);
    assert.equal((await browser.post('/settings/caching', { caching: 'maybe' })).status, 400);
    const reader = await signedIn(service, await addPerson(service, owner, { role: 'reader' }));
    for (const [path, fields] of [
      ['/settings/timezone', { timezone: 'UTC' }],
      ['/settings/caching', { caching: 'on' }],
    ] as const) {
      assert.equal((await reader.post(path, fields)).status, 403);
    }
    assert.doesNotMatch((await reader.get('/settings')).text, /Delete everything|name="timezone"/);
    assert.equal((await reader.get('/settings/delete')).status, 403);
  });

  test('names the account record, for owners alone, and records who did', async () => {
    const { owner, person, browser } = await somebody();
    assert.match(
      (await browser.get('/settings')).text,
      new RegExp(`of the account record ${owner.record.email}`),
    );
    assert.equal(
      place(await browser.post('/settings/name', { name: '  Household & Co ' })),
      '/settings?done=name_changed',
    );
    assert.equal((await recordOf(owner)).name, 'Household & Co');
    assert.match(
      (await browser.get('/settings')).text,
      new RegExp(`of the account record ${owner.record.email} \\(<bdi>Household &amp; Co</bdi>\\)`),
    );

    assert.equal((await browser.v2('GET', '/v2/me')).body.name, 'Household & Co');
    const { body: log } = await owner.v2('GET', '/v2/audit_events?limit=1');
    assert.deepEqual([log.data[0].kind, log.data[0].actor.name], ['account_record.updated', person.email]);
    const addresses = [
      'CommBank (security@commbank.example)',
      'me\uff20home.example',
      'me\ufe6bhome.example',
    ];
    const hidden = [...'\u00ad\u061c\u200b\u200c\u200d\u2060\u202e\u2068\ufeff'].map((one) => `a${one}b`);
    const blank = ['\u3164', '\u2800', '\u115f\u1160', '\uffa0 \u2800', '\u0301'];
    const within = ['House\u3164hold', 'House\u034Fhold', 'House\u2800hold', 'House\u180Ehold'];
    const mixed = ['CommB\u0430nk', '\u0421ommBank', 'Westp\u03B1c', 'Household \u0434\u043e\u043c'];
    for (const name of [
      ...addresses,
      ...hidden,
      ...blank,
      ...within,
      ...mixed,
      'two\nlines',
      'x'.repeat(201),
    ])
      assert.equal((await browser.post('/settings/name', { name })).status, 400, JSON.stringify(name));
    const reader = await signedIn(service, await addPerson(service, owner, { role: 'reader' }));
    assert.equal((await reader.post('/settings/name', { name: 'Mine' })).status, 403);
    assert.equal((await reader.v2('POST', '/v2/me', { name: 'Mine' })).status, 403);
    assert.equal((await browser.post('/settings/name', { name: '' })).status, 303);
    assert.equal((await recordOf(owner)).name, null);
  });

  test('changes the zone of the account record over v2, to one that exists', async () => {
    const { owner } = await somebody();
    const moved = await owner.v2('POST', '/v2/me', { timezone: 'Europe/Berlin' });
    assert.deepEqual([moved.status, moved.body.timezone], [200, 'Europe/Berlin']);
    const refused = await owner.v2('POST', '/v2/me', { timezone: 'Europe/Nowhere' });
    assert.deepEqual([refused.status, refused.body.error.param], [400, 'timezone']);
    assert.equal((await owner.v2('GET', '/v2/me')).body.timezone, 'Europe/Berlin');
  });

  test('shows the plan, and what is used of it', async () => {
    const { owner, browser } = await somebody();
    await importedConnection(owner, await linkBank(owner));
    await service.app.services.accountRecords.update(owner.record.id, { plan: 'saver' });
    const { text } = await browser.get('/settings');
    assert.match(text, /<strong>Saver<\/strong>/);
    assert.match(text, /Connections<\/th><td class="figure">1<\/td><td class="figure">3</);
  });

  test('takes no form of another site, and nothing from someone who is signed out', async () => {
    const { owner, browser } = await somebody();
    const from = { 'sec-fetch-site': 'cross-site' };
    for (const [path, fields] of [
      ['/settings/email', { email: 'x@example.test', current: PASSWORD }],
      ['/settings/timezone', { timezone: 'UTC' }],
      ['/settings/caching', { caching: 'off' }],
      ['/settings/delete', { confirm: owner.record.email }],
    ] as const) {
      assert.equal((await browser.post(path, fields, from)).status, 303, path);
      assert.match(place(await new Browser(service.url).post(path, fields)) ?? '', /^\/sign-in\?/, path);
    }
    const { timezone, caching } = await recordOf(owner);
    assert.deepEqual([timezone, caching], ['Australia/Sydney', true]);
  });
});

describe('a day or time on a page', () => {
  test('is the one in the account record’s zone, and holds the instant for machines', async () => {
    const owner = await service.owner();
    const { accountRecords } = service.app.services;
    const ends = new Date('2030-01-15T10:30:00.000Z');
    await accountRecords.update(owner.record.id, { status: 'trialing', trial_ends_at: ends });
    const person = await addPerson(service, owner, { operator: true });
    await signedIn(service, person);
    const browser = await signedIn(service, person);
    // 25 hours apart, so that no instant falls on the same day in both.
    for (const [timezone, zone, day] of [
      ['Pacific/Pago_Pago', 'GMT-11', '14 January 2030'],
      ['Pacific/Kiritimati', 'GMT\\+14', '16 January 2030'],
    ] as const) {
      await accountRecords.update(owner.record.id, { timezone });
      const trial = `until <time datetime="${ends.toISOString()}">${day}</time>`;
      const account = publicId('account_record', owner.record.id);
      const paths = ['/settings', '/settings/operator', `/settings/operator/account?account=${account}`];
      for (const path of paths) assert.ok((await browser.get(path)).text.includes(trial), path);
      const email = `${zone.slice(-2)}@example.test`;
      const invited = await browser.post('/settings/security/invitations', { email, role: 'reader' });
      const moment = `\\d+ \\w+ \\d{4} at \\d+:\\d\\d [ap]m ${zone}`;
      const marked = `<time datetime="[^"]+Z">${moment}</time>`;
      assert.match(invited.text, new RegExp(`It ends on ${marked}\\.`));
      const { text } = await browser.get('/settings/security');
      assert.match(text, new RegExp(`This browser, signed in ${marked}, last seen ${marked}<`));
      assert.match(text, new RegExp(`aria-label="Sign out: signed in ${moment}, last seen ${moment}"`));
      assert.match(text, new RegExp(`${email}, reader, until ${marked}<`));
    }
  });
});

describe('/settings/delete', () => {
  test('says what will happen, takes the address of the account record and a recent sign-in, and signs out', async () => {
    const { owner, person, browser } = await somebody();
    await importedConnection(owner, await linkBank(owner));
    const { text } = await browser.get('/settings/delete');
    assert.match(text, /1 connection with 3 accounts|1 connection with \d+ accounts?/);
    assert.ok(text.includes(person.email));
    const wrong = await browser.post('/settings/delete', { confirm: 'delete' });
    assert.deepEqual([wrong.status, wrong.text.includes('Nothing was deleted')], [400, true]);
    clock.advance(16 * 60_000);
    const stale = await browser.post('/settings/delete', { confirm: owner.record.email });
    assert.match(place(stale) ?? '', /notice=fresh/);
    assert.equal((await owner.v2('GET', '/v2/me')).status, 200);
    await browser.signIn(person.email);
    const done = await browser.post('/settings/delete', { confirm: owner.record.email.toUpperCase() });
    assert.equal(place(done), '/settings/deleted');
    assert.match((await browser.get('/settings/deleted')).text, /is being deleted/);
    assert.match(place(await browser.get('/settings')) ?? '', /^\/sign-in/);
    assert.equal((await owner.v2('GET', '/v2/me')).status, 401);
  });
});

describe('the data export', () => {
  test('is named after the day in the zone of the account record', async () => {
    const { owner, browser } = await somebody();
    // 25 hours apart, so that no instant falls on the same day in both.
    const days: string[] = [];
    for (const timezone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
      await service.app.services.accountRecords.update(owner.record.id, { timezone });
      const { headers } = await browser.get('/settings/export');
      const [, day = ''] =
        /"tributary-(\d{4}-\d{2}-\d{2})\.json"/.exec(headers.get('content-disposition') ?? '') ?? [];
      assert.equal(day, localDateAt(clock.now(), timezone));
      days.push(day);
    }
    assert.ok(String(days[0]) < String(days[1]));
  });

  test('is one JSON document with every list, and without secrets or rows of a bank', async () => {
    const { owner, person, browser } = await somebody();
    await importedConnection(owner, await linkBank(owner, { customer: 'salaried-household' }));
    const answer = await browser.get('/settings/export');
    assert.equal(answer.status, 200);
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="tributary-.*\.json"$/,
    );
    const document = JSON.parse(answer.text);
    assert.deepEqual(Object.keys(document), [
      'exported_at',
      'account',
      'members',
      'notifications',
      ...Object.keys(EXPORTED_LISTS),
    ]);
    assert.equal(document.members[0].email, person.email);
    assert.equal(document.connections.length, 1);
    assert.ok(document.accounts.length > 1 && document.categories.length > 10 && document.events.length > 0);
    assert.ok(!answer.text.includes(owner.key) && !/"balance":|"password\w*":|_hash":/.test(answer.text));
  });

  test('has an empty list where an item has none of its kind, as a sync to a webhook has no categories and a database no deliveries', async () => {
    const { owner, browser } = await somebody();
    await importedConnection(owner, await linkBank(owner, { customer: 'salaried-household' }));
    const secret = service.app.sandbox?.simulators.get('postgres')?.secret;
    assert.equal((await owner.v2('POST', '/v2/destinations', { type: 'postgres', secret })).status, 200);
    const { body: destination } = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'Ledger',
      target: { url: 'http://127.0.0.1:9/rows' },
    });
    const [account] = (await owner.v2('GET', '/v2/accounts')).body.data;
    const sync = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'To a webhook',
      destination: destination.id,
      accounts: [account.id],
      mapping_mode: 'bulk',
      run_now: false,
    });
    assert.equal(sync.status, 201, JSON.stringify(sync.body));
    const document = JSON.parse((await browser.get('/settings/export')).text);
    assert.deepEqual(document.syncs[0].category_mappings, []);
    assert.deepEqual(
      document.destinations.map(({ deliveries }: { readonly deliveries: unknown }) => deliveries),
      [[], []],
    );
    assert.equal(document.syncs[0].id, sync.body.id);
  });

  test('leaves out what the role may not read, and is no one else’s', async () => {
    const { browser } = await somebody('reader');
    const document = JSON.parse((await browser.get('/settings/export')).text);
    const { scopes } = (await browser.v2('GET', '/v2/me')).body.key ?? { scopes: null };
    const readable = Object.entries(EXPORTED_LISTS).filter(([, { operation }]) => {
      const scope: Scope | null = OPERATIONS.find(({ id }) => id === operation)?.scope ?? null;
      return scope === null || scopes === null || scopes.includes(scope);
    });
    for (const name of Object.keys(document)) {
      const own = ['exported_at', 'account', 'members', 'notifications'].includes(name);
      assert.ok(own || readable.some(([list]) => list === name), name);
    }
    assert.match(place(await new Browser(service.url).get('/settings/export')) ?? '', /^\/sign-in/);
  });

  test('ends with the session of the person, however slowly it is taken', async () => {
    const { owner, person, browser } = await somebody();
    const cutShort = async (): Promise<boolean> => {
      const member = await addPerson(service, owner);
      const { cookie } = await signedIn(service, member);
      const answer = await fetch(new URL('/settings/export', service.url), { headers: { cookie } });
      const pieces = answer.body?.getReader() ?? assert.fail();
      await pieces.read();
      await service.app.signIn.members.remove(owner.record.id, member.id);
      try {
        while (!(await pieces.read()).done);
        return false;
      } catch {
        return true;
      }
    };
    // A short document may have been sent whole before its reader was removed, but not each time.
    let cut = false;
    for (let attempt = 0; attempt < 20 && !cut; attempt += 1) cut = await cutShort();
    assert.ok(cut, 'the export went on after its reader was removed');
    assert.equal((await browser.get('/settings/export')).status, 200, person.email);
  });

  test('holds no list of an item in memory as a whole', async () => {
    const { owner, browser } = await somebody();
    const ruleset = (await owner.v2('POST', '/v2/rulesets', { name: 'Set' })).body;
    const { services } = service.app;
    let read = 0;
    const operations = OPERATIONS.map((operation) =>
      operation.id === 'list_rules'
        ? {
            ...operation,
            answer: async () => {
              read += 1;
              const data = [{ id: `rule_${read}` }];
              return {
                replayed: false,
                status: 200,
                headers: [],
                text: JSON.stringify({
                  data,
                  next_page_url: read < 60 ? `https://api.example/v2?page=${read}` : null,
                }),
              };
            },
          }
        : operation,
    );
    const signedIn = (await service.app.signIn.webSessions.find(browser.cookie)) ?? assert.fail();
    const { signal } = new AbortController();
    const pieces = dataExport({ operations, services, caller: signedIn.caller, beside: {}, signal });
    let text = '';
    for await (const piece of pieces) {
      text += piece;
      if (read === 50) break;
    }
    assert.ok(text.includes(ruleset.id) && text.includes('rule_49'), 'what was read was given out');
  });

  test('reads every list there is, or says why not', () => {
    const exported = Object.values(EXPORTED_LISTS).flatMap(({ operation, within = {} }) => [
      operation,
      ...Object.values(within),
    ]);
    const lists = OPERATIONS.map(({ id }) => id).filter((id) => id.startsWith('list_'));
    assert.deepEqual([...exported, ...Object.keys(NOT_EXPORTED)].toSorted(), lists.toSorted());
  });

  test('follows lists over their pages', async (t) => {
    const small = await startService({ LIMIT_PAGE_SIZE_MAX: '2', LIMIT_PAGE_SIZE_DEFAULT: '2' });
    t.after(() => small.close());
    const owner = await small.owner();
    for (let at = 0; at < 5; at += 1) await owner.v2('POST', '/v2/rulesets', { name: `Set ${at}` });
    const browser = await signedIn(small, await addPerson(small, owner));
    const { rulesets } = JSON.parse((await browser.get('/settings/export')).text);
    assert.deepEqual(rulesets.map(({ name }: { readonly name: string }) => name).toSorted(), [
      'Set 0',
      'Set 1',
      'Set 2',
      'Set 3',
      'Set 4',
    ]);
  });
});

test('several exports at once of one person do not hold up another [limit session_heavy_in_flight]', async (t) => {
  const limited = await startService({ LIMIT_SESSION_HEAVY_IN_FLIGHT: '2' });
  t.after(() => limited.close());
  const [greedy, other] = await Promise.all(
    [await limited.owner(), await limited.owner()].map(async (owner) =>
      signedIn(limited, await addPerson(limited, owner)),
    ),
  );
  assert.ok(greedy && other);
  const many = await Promise.all(Array.from({ length: 8 }, () => greedy.get('/settings/export')));
  assert.ok(many.some(({ status }) => status === 429));
  assert.equal((await other.get('/settings/export')).status, 200);
  assert.equal((await greedy.get('/settings/export')).status, 200, 'places are free again');
});

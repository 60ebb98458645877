import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { publicId } from '../../../src/vocabulary/ids.ts';
import { addPerson, Browser, joinRecord } from '../../support/people.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import {
  exchange,
  formOf,
  goesOnTo,
  localOf,
  newVerifier,
  openConsent,
  postForm,
  register,
  request,
  tokensOf,
} from './stage.ts';

const clock = new ShiftedClock();
const { challenge, verifier } = newVerifier();
let service: TestService;
let client: string;
before(async () => {
  service = await startService({}, { clock });
  client = (await register(service)).body.client_id;
});
after(() => service.close());

test('someone who shares several account records chooses which one an app gets, without switching to it', async () => {
  const [mine, client1, strange] = [await service.owner(), await service.owner(), await service.owner()];
  for (const [{ record }, name] of [
    [mine, 'Own books'],
    [client1, 'Harbour Cafe'],
  ] as const)
    await service.app.services.accountRecords.update(record.id, { name });
  const member = await addPerson(service, mine);
  await joinRecord(service, client1, member, 'reader');
  const person = new Browser(service.url);
  await person.signIn(member.email);
  const idOf = ({ record }: TestOwner) => publicId('account_record', record.id);
  const page = await openConsent(person, request(client, challenge, { scope: 'data:read syncs:write' }));
  assert.match(page.text, new RegExp(`<option value="${idOf(mine)}" selected>`));
  assert.match(page.text, new RegExp(`<option value="${idOf(client1)}">[^<]*Harbour Cafe`));
  assert.ok(!page.text.includes(idOf(strange)) && !page.text.includes(strange.record.email));
  const there = await person.get(`${page.path}?record=${idOf(client1)}`);
  assert.match(
    there.text,
    /It gets access to [^<]*<bdi>Harbour Cafe<\/bdi>\) and to no other account record/,
  );
  assert.match(there.text, /you can only read this account record/, 'with the role there');
  assert.equal((await person.get(`${page.path}?record=${idOf(strange)}`)).status, 404);
  const decide = (proof: string, record: string) =>
    postForm(person, page.path, [
      ['proof', proof],
      ['record', record],
      ['decision', 'allow'],
      ['scope', 'data:read'],
      ['scope', 'syncs:write'],
    ]);
  const grantsOf = ({ record }: TestOwner) =>
    service.app.database.db
      .selectFrom('oauth_grants')
      .select('scopes')
      .where('account_record', '=', record.id)
      .execute();
  for (const [proof, record, why] of [
    [formOf(page).proof, idOf(client1), 'a record that the page did not show'],
    [formOf(there).proof, idOf(mine), 'the other way round'],
    [formOf(page).proof, idOf(strange), 'a record of someone else'],
    [formOf(there).proof, idOf(strange), 'a record of someone else'],
    [formOf(page).proof, 'acc_nonsense', 'no record'],
  ] as const)
    assert.equal((await decide(proof, record)).status, 403, why);
  for (const one of [mine, client1, strange]) assert.deepEqual(await grantsOf(one), []);
  const resumed = await person.get(localOf(goesOnTo(await decide(formOf(there).proof, idOf(client1)))));
  const code = new URL(resumed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const { access, scope } = tokensOf(await exchange(service, client, code, verifier, {}));
  assert.equal(scope, 'data:read');
  assert.ok(access);
  assert.deepEqual(await grantsOf(client1), [{ scopes: ['data:read'] }]);
  assert.deepEqual(await grantsOf(mine), []);
  assert.equal((await person.v2('GET', '/v2/me')).body.id, idOf(mine), 'the session stays');
  const [event] = await service.app.services.auditLog
    .list(client1.record.id, 'connected_app.allowed', { limit: 1, after: null, before: null })
    .then(({ items }) => items);
  assert.equal(event?.actor_name, member.email);
});

test('signing in again for a chosen account record keeps the choice, and the session in its own', async () => {
  const [mine, other] = [await service.owner(), await service.owner()];
  const member = await addPerson(service, mine);
  await joinRecord(service, other, member);
  const person = new Browser(service.url);
  await person.signIn(member.email);
  const page = await openConsent(person, request(client, challenge));
  clock.advance(16 * 60_000);
  const [here, there] = [mine, other].map(({ record }) => publicId('account_record', record.id));
  const again = (await person.get(`${page.path}?record=${there}`)).headers.get('location') ?? '';
  const { searchParams } = new URL(again, service.url);
  assert.equal(searchParams.get('next'), `${page.path}?record=${there}`);
  assert.equal(searchParams.get('shown_account'), here);
});

test('a decision that is sent after the session has ended keeps the choice', async () => {
  const [mine, other] = [await service.owner(), await service.owner()];
  const member = await addPerson(service, mine);
  await joinRecord(service, other, member);
  const person = new Browser(service.url);
  await person.signIn(member.email);
  const page = await openConsent(person, request(client, challenge));
  const there = publicId('account_record', other.record.id);
  person.cookies.delete('tributary');
  for (const [record, next] of [
    [there, `${page.path}?record=${there}`],
    ['acc_nonsense', page.path],
  ] as const) {
    const sent = await postForm(person, page.path, [
      ['proof', formOf(page).proof ?? ''],
      ['record', record],
      ['decision', 'allow'],
    ]);
    const { pathname, searchParams } = new URL(sent.headers.get('location') ?? '', service.url);
    assert.deepEqual([pathname, searchParams.get('next')], ['/sign-in', next]);
  }
});

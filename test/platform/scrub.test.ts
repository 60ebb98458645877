import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { newApiKeySecret } from '../../src/platform/api-key-secret.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { newRowId } from '../../src/platform/row-id.ts';
import { scrub } from '../../src/platform/scrub.ts';
import { publicId, rowId } from '../../src/vocabulary/ids.ts';
import { leastMs } from '../support/patience.ts';
import { slowness } from '../support/slowness.ts';

const pieces = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('1', '2', '٣', ' ', '-', '\u200b', '\0', 'a', '.', '=', '\u00a0') }),
  fc.nat().map(String),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.emailAddress(),
  fc.base64String({ minLength: 20 }),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));

test('nothing scrubbed holds a run of six digits or a control character, or is longer than asked', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 400 }), (text, max) => {
      const scrubbed = scrub(text, max);
      assert.doesNotMatch(scrubbed, /\p{Nd}{6}/u);
      assert.doesNotMatch(scrubbed, /[\p{Cc}\p{Cf}]/u);
      assert.ok(scrubbed.length <= max);
      assert.ok(scrubbed.isWellFormed());
    }),
    { numRuns: 2_000 },
  );
});

test('account, card and branch numbers go, however they are grouped', () => {
  for (const number of [
    '12345678',
    '062-000',
    '062 000 1234 5678',
    '12-3456-7890123-00',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
  ]) {
    const scrubbed = scrub(`account ${number} is closed`);
    assert.equal(scrubbed, 'account [removed] is closed');
  }
  assert.doesNotMatch(scrub('123\u200b456'), /456/);
});

test('credentials of every kind go, wherever they stand', () => {
  const word = randomBytes(24).toString('base64');
  const secrets: string[] = [
    newApiKeySecret(),
    randomUUID(),
    word,
    randomBytes(24).toString('hex'),
    randomBytes(24).toString('base64url'),
    // Without a digit, as one in two hundred is.
    'BIxVRBegubhRCLbjEnLvxGqFkZWECQMN',
    'UeyfUteYbic/JqFKYPVDZYFxVRxYMSmu',
    'EDNbhPpPoASLrweCqpPMQof_NRaTWdrL',
    'zsNCeJmfME-idIdGvGFGlVsBYUzYjHcM',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ];
  for (const secret of secrets) {
    const scrubbed = scrub(`refused: ${secret} is unknown`);
    for (let at = 0; at + 10 <= secret.length; at += 1)
      assert.ok(!scrubbed.includes(secret.slice(at, at + 10)), scrubbed);
    const tail = scrub(`${'12345678 '.repeat(132)}${secret}`);
    assert.ok(!tail.includes(secret.slice(0, 8)));
  }
  const named = [
    'Bearer hunter',
    'password=hunter',
    'client_secret: "hunter"',
    'Authorization: Basic hunter',
    'x-api-key=hunter',
  ];
  for (const text of [
    ...named,
    'https://a:hunter@b.example/x',
    'https://b.example/x?q=hunter',
    'wss://b/x#hunter',
    'jo.hunter@b.example',
  ]) {
    assert.ok(!scrub(`failed: ${text}`).includes('hunter'), scrub(text));
  }
});

test('ordinary messages and our own ids stay readable', () => {
  const id = publicId('connection', rowId('connection', newRowId(systemClock)));
  const messages = [
    'from must be before 2026-11-20',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'The bank answered 503 after 30 s; try again in 5 minutes.',
    'relation "sync_runs" does not exist',
    'at request (file:///app/src/platform/outgoing-http.ts:12:3)',
    'https://api.example.com/v1/accounts',
    'provider_category_identifier_unknown',
  ];
  for (const message of messages) assert.equal(scrub(message), message);
  if (!/\d{6}/.test(id)) assert.equal(scrub(`${id} is gone`), `${id} is gone`);
});

test('megabytes from outside are cut before they cost time', async () => {
  const hostile = [
    '1 '.repeat(2_000_000),
    'a'.repeat(4_000_000),
    'a@'.repeat(2_000_000),
    'token='.repeat(700_000),
    '\0'.repeat(4_000_000),
  ];
  const took = await leastMs(500, () => {
    for (const text of hostile) assert.ok(scrub(text).length <= 300);
  });
  assert.ok(took < 500 || took < 500 * slowness(), `${took} ms`);
});

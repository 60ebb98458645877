import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { create, SyncRequestSchema, Timestamp, toBinary } from '@actual-app/crdt';
import { type ActualSimulator, startActualSimulator } from '../../sandbox/actual/server.ts';

const SINCE = new Timestamp(0, 0, '0').toString();
const UNKNOWN = '11111111-1111-4111-8111-111111111111';
const JSON_TYPE = { 'content-type': 'application/json' };

let simulator: ActualSimulator;
let token: string;
let file: { readonly fileId: string; readonly groupId: string };
before(async () => {
  simulator = await startActualSimulator();
  const { text } = await ask('POST /account/login', JSON_TYPE, '{"password":"sandbox"}');
  token = JSON.parse(text).data.token;
  const [first] = JSON.parse((await ask('GET /sync/list-user-files')).text).data;
  file = first;
});
after(() => simulator.close());

async function ask(call: string, headers: Record<string, string> = {}, body?: string | Buffer) {
  const [method = '', path] = call.split(' ');
  const answer = await fetch(simulator.url + path, {
    method,
    headers: { 'x-actual-token': token ?? '', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const retryAfter = answer.headers.get('retry-after');
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  return { status: answer.status, type, text: await answer.text(), retryAfter };
}

const info = (fileId: string) => ask('GET /sync/get-user-file-info', { 'x-actual-file-id': fileId });
const download = (fileId: string) => ask('GET /sync/download-user-file', { 'x-actual-file-id': fileId });
const key = (fileId: string) => ask('POST /sync/user-get-key', JSON_TYPE, JSON.stringify({ fileId }));
const sync = (request: Record<string, unknown>) =>
  ask(
    'POST /sync/sync',
    { 'content-type': 'application/actual-sync' },
    Buffer.from(toBinary(SyncRequestSchema, create(SyncRequestSchema, { since: SINCE, ...request }))),
  );

/** What the sync server 26.9.0 answered to the same requests. An object is JSON, a text is plain. */
const REFUSALS: Record<string, readonly [() => ReturnType<typeof ask>, number, object | string]> = {
  'a wrong password': [
    () => ask('POST /account/login', JSON_TYPE, '{"password":"x"}'),
    400,
    { status: 'error', reason: 'invalid-password' },
  ],
  'no session': [
    () => ask('GET /sync/list-user-files', { 'x-actual-token': '' }),
    401,
    { status: 'error', reason: 'unauthorized', details: 'token-not-found' },
  ],
  'the state of an unknown budget': [() => info(UNKNOWN), 400, { status: 'error', reason: 'file-not-found' }],
  'the file of an unknown budget': [() => download(UNKNOWN), 400, 'User or file not found'],
  'the key of an unknown budget': [() => key(UNKNOWN), 400, 'file-not-found'],
  'messages of an unknown budget': [() => sync({ fileId: UNKNOWN, groupId: 'x' }), 400, 'file-not-found'],
  'the state of what is no id': [() => info('my budget'), 400, 'invalid fileId'],
  'the file of what is no id': [() => download('my budget'), 400, 'invalid fileId'],
  'the key of what is no id': [() => key('my budget'), 400, 'invalid fileId'],
  'messages of what is no id': [() => sync({ fileId: 'my budget', groupId: 'x' }), 400, 'invalid fileId'],
  'messages since no time': [
    () => sync({ ...file, since: '' }),
    422,
    { details: 'since-required', reason: 'unprocessable-entity', status: 'error' },
  ],
  'messages that are none': [
    () => ask('POST /sync/sync', { 'content-type': 'application/actual-sync' }, Buffer.from([255, 255])),
    500,
    { status: 'error', reason: 'internal-error' },
  ],
  'messages in JSON': [
    () => ask('POST /sync/sync', JSON_TYPE, '{}'),
    500,
    { status: 'error', reason: 'internal-error' },
  ],
  'messages of another group': [() => sync({ ...file, groupId: 'other' }), 400, 'file-has-reset'],
  'messages under another key': [() => sync({ ...file, keyId: 'k' }), 400, 'file-has-new-key'],
};

describe('the simulated sync server answers as the real one does', () => {
  for (const [what, [asked, status, said]] of Object.entries(REFUSALS)) {
    test(`to ${what}`, async () => {
      const answer = await asked();
      const isText = typeof said === 'string';
      assert.deepEqual(
        [answer.status, answer.type, isText ? answer.text : JSON.parse(answer.text)],
        [status, isText ? 'text/html' : 'application/json', said],
      );
    });
  }

  test('where a budget was deleted: nothing shows it any more', async () => {
    const fileId = simulator.control.addBudget('Deleted', 'AUD');
    const { groupId } = JSON.parse((await info(fileId)).text).data;
    simulator.control.deleteBudget(fileId);
    const texts = await Promise.all(
      [info(fileId), download(fileId), key(fileId), sync({ fileId, groupId })].map(
        async (answer) => (await answer).text,
      ),
    );
    assert.deepEqual(texts, [
      '{"status":"error","reason":"file-not-found"}',
      'User or file not found',
      'file-not-found',
      'file-not-found',
    ]);
    const { text } = await ask('GET /sync/list-user-files');
    assert.ok(!text.includes(fileId));
  });

  test('where the password was changed: sessions go on', async () => {
    simulator.control.changePassword('other');
    assert.equal((await ask('GET /sync/list-user-files')).status, 200);
    simulator.control.changePassword('sandbox');
  });

  test('where no one can sign in with a password', async () => {
    for (const [way, status, reason] of [
      ['header', 200, 'invalid-header'],
      ['openid', 400, 'Invalid redirect URL'],
    ] as const) {
      simulator.control.signInBy(way);
      const answer = await ask('POST /account/login', JSON_TYPE, '{"password":"sandbox"}');
      assert.deepEqual([answer.status, JSON.parse(answer.text)], [status, { status: 'error', reason }]);
    }
    simulator.control.signInBy('password');
  });

  test('where passwords are guessed: from the sixth on it says when to come back', async () => {
    const guess = () => ask('POST /account/login', JSON_TYPE, '{"password":"guess"}');
    let answer = await guess();
    for (let more = 0; more < 5; more++) answer = await guess();
    assert.deepEqual([answer.status, answer.text], [429, '{"status":"error","reason":"too-many-requests"}']);
    const seconds = Number(answer.retryAfter);
    assert.ok(seconds > 800 && seconds <= 900, `${answer.retryAfter}`);
  });
});

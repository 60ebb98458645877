import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it, test } from 'node:test';
import { type AirtableSimulator, startAirtableSimulator } from '../../sandbox/airtable/server.ts';
import { airtableToken, authorizePage, codeFields, exchange } from './airtable-visitor.ts';

const CLIENT = { clientId: 'client', clientSecret: 'secret' };
const CREDENTIALS = 'client:secret';
let now = Date.parse('2026-11-20T06:00:00.750Z');
let simulator: AirtableSimulator;
let token: string;
let base: string;
let table: string;

before(async () => {
  simulator = await startAirtableSimulator({ ...CLIENT, clock: { now: () => now } });
  base = simulator.control.addBase('Money');
  table = simulator.control.addTable(base, 'Rows', [
    { name: 'Id', type: 'singleLineText' },
    { name: 'Amount', type: 'number', options: { precision: 2 } },
    { name: 'Day', type: 'date', options: { dateFormat: { name: 'iso' } } },
    { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'debit' }] } },
    { name: 'Done', type: 'checkbox' },
    { name: 'Sum', type: 'formula' },
  ]);
});
beforeEach(async () => {
  now += 60_000;
  simulator.control.clear();
  simulator.control.setPlan({ callsPerMonth: null, whenSpent: 'refuse', recordsPerBase: null });
  token = await airtableToken(simulator, 'client', 'secret');
});
after(() => simulator.close());

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${simulator.url}/v0${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text) };
}
const rows = () => `/${base}/${table}`;
const upsert = (records: readonly unknown[], more: object = {}) =>
  call('PATCH', rows(), { performUpsert: { fieldsToMergeOn: ['Id'] }, typecast: true, records, ...more });
const typeOf = ({ body }: { body: { error: { type: string } } }) => body.error.type;

describe('Signing in', () => {
  it('needs a code challenge, a known scope, a state, and https unless the address is local', async () => {
    for (const more of [
      { code_challenge: null },
      { code_challenge_method: 'plain' },
      { scope: 'user.email:read' },
      { scope: null },
      { state: 'short' },
      { redirect_uri: 'http://app.example/return' },
      { client_id: 'another' },
    ]) {
      const page = await fetch(authorizePage(simulator, 'client', more));
      assert.equal(page.status, 400, JSON.stringify(more));
    }
    assert.equal((await fetch(authorizePage(simulator, 'client'))).status, 200);
  });

  it('takes the client’s secret in the header alone, and a code once', async () => {
    const fields = await codeFields(simulator, 'client');
    const without = await exchange(simulator, null, {
      ...fields,
      client_id: 'client',
      client_secret: 'secret',
    });
    assert.deepEqual([without.status, (await json(without)).error], [401, 'invalid_client']);
    const first = await exchange(simulator, CREDENTIALS, fields);
    const { expires_in, refresh_expires_in, token_type } = await json(first);
    assert.deepEqual([expires_in, refresh_expires_in, token_type], [3600, 5_184_000, 'Bearer']);
    const second = await exchange(simulator, CREDENTIALS, fields);
    assert.deepEqual([second.status, (await json(second)).error], [400, 'invalid_grant']);
  });

  it('gives a refresh token that counts once, and ends the grant of one that is used twice', async () => {
    const answer = await exchange(simulator, CREDENTIALS, await codeFields(simulator, 'client'));
    const { refresh_token } = await json(answer);
    const renew = (spent: string) =>
      exchange(simulator, CREDENTIALS, { grant_type: 'refresh_token', refresh_token: spent });
    const renewed = await json(await renew(refresh_token));
    const before = simulator.control.usage().refusedRenewals;
    assert.equal((await renew(refresh_token)).status, 400);
    assert.equal(simulator.control.usage().refusedRenewals, before + 1);
    token = renewed.access_token;
    assert.equal((await call('GET', '/meta/whoami')).status, 401);
  });
});

async function json(answer: Response) {
  return JSON.parse(await answer.text());
}

describe('An upsert', () => {
  it('takes at most ten records', async () => {
    const records = Array.from({ length: 11 }, (_, at) => ({ fields: { Id: `many-${at}` } }));
    assert.equal((await upsert(records.slice(1))).status, 200);
    assert.equal(typeOf(await upsert(records)), 'INVALID_RECORDS');
  });

  it('makes what is not there, updates what is, and refuses all where several match', async () => {
    const first = await upsert([{ fields: { Id: 'one', Amount: 1 } }]);
    assert.deepEqual([first.body.createdRecords.length, first.body.updatedRecords], [1, []]);
    const second = await upsert([{ fields: { Id: 'one', Amount: 2 } }, { fields: { Id: 'two' } }]);
    assert.deepEqual(second.body.updatedRecords, first.body.createdRecords);
    assert.deepEqual(second.body.records[0].fields, { Id: 'one', Amount: 2 });
    simulator.control.copyRecord(first.body.createdRecords[0]);
    const refused = await upsert([{ fields: { Id: 'three' } }, { fields: { Id: 'one', Amount: 3 } }]);
    assert.deepEqual([refused.status, typeOf(refused)], [422, 'INVALID_REQUEST_UNKNOWN']);
    assert.ok(
      !simulator.control.records(table).some(({ fields }) => JSON.stringify(fields).includes('three')),
    );
    const byId = await upsert([{ id: first.body.createdRecords[0], fields: { Amount: 4 } }]);
    assert.equal(byId.body.records[0].fields.Amount, 4);
    assert.equal(typeOf(await upsert([{ id: 'recNone', fields: {} }])), 'ROW_DOES_NOT_EXIST');
  });

  it('merges on one to three columns of some types', async () => {
    for (const fieldsToMergeOn of [[], ['Id', 'Amount', 'Day', 'Kind'], ['Done'], ['Sum']]) {
      const answer = await upsert([{ fields: {} }], { performUpsert: { fieldsToMergeOn } });
      assert.equal(answer.status, 422, fieldsToMergeOn.join());
    }
  });

  it('gives the time of a record in whole seconds', async () => {
    const { body } = await upsert([{ fields: { Id: 'timed' } }]);
    assert.match(body.records[0].createdTime, /:00\.000Z$/);
    assert.equal(now % 1000, 750);
  });
});

describe('A cell', () => {
  for (const [column, value, plain, typecast] of [
    ['Amount', '12.50', 'INVALID_VALUE_FOR_COLUMN', 12.5],
    ['Amount', 'x', 'INVALID_VALUE_FOR_COLUMN', 'INVALID_VALUE_FOR_COLUMN'],
    ['Day', '2026-02-30', 'INVALID_VALUE_FOR_COLUMN', 'INVALID_VALUE_FOR_COLUMN'],
    ['Kind', 'credit', 'INVALID_MULTIPLE_CHOICE_OPTIONS', 'credit'],
    ['Id', 7, 'INVALID_VALUE_FOR_COLUMN', '7'],
    ['Sum', 7, 'INVALID_VALUE_FOR_COLUMN', 'INVALID_VALUE_FOR_COLUMN'],
    ['Id', 'x'.repeat(100_001), 'INVALID_VALUE_FOR_COLUMN', 'INVALID_VALUE_FOR_COLUMN'],
    ['Nothing', 7, 'UNKNOWN_FIELD_NAME', 'UNKNOWN_FIELD_NAME'],
  ] as const) {
    it(`of ${column} is typed when ${String(value).slice(0, 12)} is sent, with typecast and without`, async () => {
      const sent = (cast: boolean) =>
        call('POST', rows(), { records: [{ fields: { [column]: value } }], typecast: cast });
      assert.equal(typeOf(await sent(false)), plain);
      const { body } = await sent(true);
      assert.deepEqual(body.error?.type ?? body.records[0].fields[column], typecast);
    });
  }
});

describe('Limits', () => {
  it('are five calls of a base in a second, and half a minute without any for the sixth', async () => {
    for (let count = 0; count < 5; count++) assert.equal((await call('GET', rows())).status, 200);
    const sixth = await call('GET', rows());
    assert.deepEqual([sixth.status, sixth.body.errors[0].error], [429, 'RATE_LIMIT_REACHED']);
    now += 29_000;
    assert.equal((await call('GET', rows())).status, 429);
    assert.equal((await call('GET', '/meta/whoami')).status, 200);
    now += 1_001;
    assert.equal((await call('GET', rows())).status, 200);
  });

  it('are fifty calls of a person in a second over all bases', async () => {
    const calls = await Promise.all(Array.from({ length: 51 }, () => call('GET', '/meta/bases')));
    assert.equal(calls.filter(({ status }) => status === 429).length, 1);
  });

  it('of a month leave the schema readable, and end with the month', async () => {
    simulator.control.setPlan({ callsPerMonth: 0 });
    const refused = await call('GET', rows());
    assert.deepEqual(
      [refused.status, refused.body.errors[0].error],
      [429, 'PUBLIC_API_BILLING_LIMIT_EXCEEDED'],
    );
    assert.equal((await call('GET', `/meta/bases/${base}/tables`)).status, 200);
    simulator.control.setPlan({ callsPerMonth: simulator.control.usage().calls });
    assert.equal((await call('GET', rows())).status, 429);
    now = Date.parse('2026-12-01T00:00:00.750Z');
    token = await airtableToken(simulator, 'client', 'secret');
    assert.equal((await call('GET', rows())).status, 200);
  });

  it('of a plan that slows down are two calls in a second', async () => {
    simulator.control.setPlan({ callsPerMonth: 0, whenSpent: 'slow' });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await call('GET', rows())).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });
});

describe('What cannot be seen', () => {
  it('is refused in one way, whether it exists or not', async () => {
    for (const path of [`/${base}/tblNone`, '/appNone/tblNone', '/meta/bases/appNone/tables']) {
      const answer = await call('GET', path);
      assert.deepEqual(
        [answer.status, typeOf(answer)],
        [403, 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND'],
        path,
      );
    }
    const gone = await call('DELETE', `${rows()}?records[]=recNone`);
    assert.deepEqual([gone.status, gone.body], [404, { error: 'NOT_FOUND' }]);
    assert.equal(
      typeOf(await call('POST', `${rows()}/listRecords`, { filterByFormula: '{None}=' })),
      'INVALID_FILTER_BY_FORMULA',
    );
  });
});

describe('A column', () => {
  const make = (field: object) => call('POST', `/meta/bases/${base}/tables/${table}/fields`, field);

  it('is made with the options of its type, under a name of its own', async () => {
    const made = await make({ name: 'Fee', type: 'number', options: { precision: 2 }, description: 'd' });
    assert.deepEqual([made.body.name, made.body.description], ['Fee', 'd']);
    for (const [field, type] of [
      [{ name: 'fee', type: 'singleLineText' }, 'DUPLICATE_OR_EMPTY_FIELD_NAME'],
      [{ name: 'A', type: 'number' }, 'INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE'],
      [{ name: 'B', type: 'number', options: { precision: 9 } }, 'INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE'],
      [{ name: 'C', type: 'singleLineText', options: {} }, 'INVALID_FIELD_TYPE_OPTIONS_FOR_CREATE'],
      [{ name: 'D', type: 'formula' }, 'UNSUPPORTED_FIELD_TYPE_FOR_CREATE'],
    ] as const) {
      now += 1_001;
      assert.equal(typeOf(await make(field)), type, field.name);
    }
  });
});

describe('A person', () => {
  it('sees the records as a grid, 200 on a page, with texts as texts and empty cells as empty', async () => {
    const grid = simulator.control.addTable(base, 'Grid', [
      { name: 'What', type: 'singleLineText' },
      { name: 'Amount', type: 'number', options: { precision: 2 } },
    ]);
    for (let number = 1; number <= 201; number++) simulator.control.addRecord(grid, { What: `<b>${number}` });
    simulator.control.addRecord(grid, { Amount: -1.5 });
    const read = async (path: string) => (await fetch(`${simulator.url}${path}`)).text();
    assert.match(await read('/bases'), new RegExp(`href="/${base}"`));
    const first = await read(`/${base}/${grid}`);
    assert.equal(first.match(/&lt;b&gt;\d+/g)?.length, 200);
    const last = await read(`/${base}/${grid}?page=2`);
    assert.match(last, /<td class="empty"><\/td><td class="number">-1\.50<\/td>/);
    assert.ok(!last.includes('<script'));
    const [list, ...filled] = simulator.control.pages();
    assert.deepEqual([list, filled.includes(`/${base}/${grid}`)], ['/bases', true]);
    for (const path of filled) {
      const table = path.split('/').at(-1) ?? '';
      assert.ok(
        simulator.control.records(table).length > 0,
        'a table without records shows nobody what arrived',
      );
    }
    for (const path of simulator.control.pages()) {
      assert.equal((await fetch(`${simulator.url}${path}`)).status, 200, path);
    }
    assert.equal((await fetch(`${simulator.url}/${base}/tblNone`)).status, 404);
  });

  it('has a page that browsers are given, however long the texts are', async () => {
    const long = simulator.control.addTable(base, 'Long', [{ name: 'What', type: 'singleLineText' }]);
    for (let number = 0; number < 200; number++) {
      simulator.control.addRecord(long, { What: '"&'.repeat(20_000) });
    }
    const html = await (await fetch(`${simulator.url}/${base}/${long}`)).text();
    assert.ok(Buffer.byteLength(html) < 256 * 1024);
  });

  it('may do over the control API what people do', async () => {
    const control = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${simulator.controlUrl}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, `${method} ${path}: ${text}`);
      return text === '' ? null : JSON.parse(text);
    };
    const { id: mine } = await control('POST', '/bases', { name: 'Mine' });
    const fields = [
      { name: 'Transaction ID', type: 'singleLineText' },
      { name: 'Amount', type: 'number', options: { precision: 2 } },
    ];
    const { id: sheet } = await control('POST', `/bases/${mine}/tables`, { name: 'T', fields });
    const { id: record } = await control('POST', `/tables/${sheet}/records`, {
      cells: { 'Transaction ID': 'txn_1', Amount: 1 },
    });
    await control('POST', `/records/${record}/edit`, { cells: { Amount: 2 } });
    await control('POST', `/records/${record}/copy`);
    const [, amount] = simulator.control.fields(sheet);
    await control('POST', `/fields/${amount?.id}/rename`, { name: 'Sum' });
    await control('POST', `/fields/${amount?.id}/move`, { to: 0 });
    await control('POST', `/tables/${sheet}/rename`, { name: 'U' });
    const row = { id: 'txn_1', place: sheet, values: { Sum: '2', 'Transaction ID': 'txn_1' } };
    const { rows: shown } = await control('GET', '/rows');
    assert.deepEqual(
      shown.filter(({ place }: { place: string }) => place === sheet),
      [row, row],
    );
    await control('POST', `/records/${record}/delete`);
    await control('POST', `/fields/${amount?.id}/type`, { type: 'singleLineText' });
    await control('POST', `/fields/${amount?.id}/delete`);
    assert.equal((await control('GET', `/tables/${sheet}/records`)).records.length, 1);
    await control('POST', `/bases/${mine}/permission`, { permission: 'read' });
    await control('POST', `/tables/${sheet}/delete`);
    await control('POST', `/bases/${mine}/delete`);
    assert.ok(!(await control('GET', '/bases')).bases.some(({ id }: { id: string }) => id === mine));
    await control('POST', '/plan', { recordsPerBase: 1000 });
    await control('POST', '/refusals', { texts: [] });
    await control('POST', '/grants/revoke');
    assert.equal((await call('GET', '/meta/whoami')).status, 401);
    assert.ok((await control('GET', '/usage')).calls >= 0);
  });
});

test('What was received and granted outlasts a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'airtable-'));
  const stateFile = join(folder, 'state.json');
  try {
    const first = await startAirtableSimulator({ ...CLIENT, stateFile });
    const bearer = await airtableToken(first, 'client', 'secret');
    const id = first.control.addBase('Kept');
    const kept = first.control.addTable(id, 'Rows', [
      { name: 'Transaction ID', type: 'singleLineText' },
      { name: 'Kind', type: 'singleSelect', options: { choices: [{ name: 'a' }] } },
    ]);
    first.control.addRecord(kept, { 'Transaction ID': 'txn_1', Kind: 'a' });
    const rowsBefore = first.control.rows();
    await first.close();
    const second = await startAirtableSimulator({ ...CLIENT, stateFile });
    try {
      assert.deepEqual(second.control.rows(), rowsBefore);
      const answer = await fetch(`${second.url}/v0/${id}/${kept}`, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      assert.equal(answer.status, 200);
      assert.notEqual(second.control.addBase('New'), id);
    } finally {
      await second.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

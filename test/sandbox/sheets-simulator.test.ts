import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isRecord } from '../../sandbox/shared/json.ts';
import { type SheetsSimulator, startSheetsSimulator } from '../../sandbox/sheets/server.ts';
import { GoogleMessages } from './google-messages.ts';

const CLIENT = { clientId: 'client', clientSecret: 'secret' };
const BACK = 'https://hub.example.test/connect/return';

/** A client of the vendor's API that holds every exchange against what Google publishes. */
class Visitor {
  readonly #simulator: SheetsSimulator;
  readonly messages = new GoogleMessages();
  token = '';

  constructor(simulator: SheetsSimulator) {
    this.#simulator = simulator;
  }

  async signIn(): Promise<Record<string, unknown>> {
    const query = new URLSearchParams({
      client_id: 'client',
      redirect_uri: BACK,
      response_type: 'code',
      state: 's',
    });
    const html = await (await fetch(`${this.#simulator.url}/o/oauth2/v2/auth?${query}`)).text();
    const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
    const sent = await fetch(new URL(action, this.#simulator.url), {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'approve' }),
      redirect: 'manual',
    });
    const code = new URL(sent.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const { body } = await this.form('/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: BACK,
    });
    this.token = String(body.access_token);
    return body;
  }

  async form(path: string, fields: Record<string, string>) {
    const all = { client_id: 'client', client_secret: 'secret', ...fields };
    const answer = await fetch(this.#simulator.url + path, {
      method: 'POST',
      body: new URLSearchParams(all),
    });
    const body: unknown = await answer.json();
    assert.ok(isRecord(body));
    return { status: answer.status, body };
  }

  async ask(method: string, path: string, sent?: unknown) {
    const url = new URL(path, this.#simulator.url);
    const request = sent === undefined ? undefined : JSON.stringify(sent);
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(request === undefined ? {} : { body: request }),
    });
    const text = await answer.text();
    if (answer.status === 200) this.messages.check(method, url.pathname, request, 200, text);
    const body: unknown = JSON.parse(text);
    assert.ok(isRecord(body));
    return { status: answer.status, body };
  }

  /** What a batch is answered: its status, and the message of its refusal. */
  async batch(id: string, ...requests: readonly unknown[]): Promise<readonly [number, string]> {
    const { status, body } = await this.ask('POST', `/v4/spreadsheets/${id}:batchUpdate`, { requests });
    return [status, isRecord(body.error) ? String(body.error.message) : ''];
  }
}

describe('the simulator of Google Sheets', () => {
  let simulator: SheetsSimulator;
  let visitor: Visitor;
  let id = '';
  before(async () => {
    simulator = await startSheetsSimulator(CLIENT);
    visitor = new Visitor(simulator);
    await visitor.signIn();
    const { body } = await visitor.ask('POST', '/v4/spreadsheets', { properties: { title: 'Money' } });
    id = String(body.spreadsheetId);
  });
  after(async () => {
    await simulator.close();
    assert.deepEqual(visitor.messages.problems, []);
    assert.ok(visitor.messages.checked > 20);
  });

  const text = (value: string) => ({ values: [{ userEnteredValue: { stringValue: value } }] });
  const cells = (rowIndex: number, columnIndex: number, ...values: readonly string[]) => ({
    updateCells: {
      start: { sheetId: 0, rowIndex, columnIndex },
      rows: values.map(text),
      fields: 'userEnteredValue',
    },
  });

  test('answers what it made, and nothing without a token', async () => {
    const made = await visitor.ask('GET', `/v4/spreadsheets/${id}`);
    assert.equal(made.status, 200);
    const whole = await visitor.ask('GET', `/v4/spreadsheets/${id}?includeGridData=true`);
    assert.equal(whole.status, 200);
    const masked = await visitor.ask(
      'GET',
      `/v4/spreadsheets/${id}?fields=sheets(properties(sheetId,title))`,
    );
    assert.deepEqual(masked.body, { sheets: [{ properties: { sheetId: 0, title: 'Sheet1' } }] });
    const stranger = new Visitor(simulator);
    const { status, body } = await stranger.ask('GET', `/v4/spreadsheets/${id}`);
    assert.equal(status, 401);
    assert.equal(isRecord(body.error) && body.error.status, 'UNAUTHENTICATED');
  });

  test('refuses in Google’s own words, and applies nothing of a batch that it refuses', async () => {
    const outside = { ...cells(5000, 0, 'x') };
    const refused: readonly (readonly [unknown, RegExp])[] = [
      [outside, /^Invalid requests\[1\]\.updateCells: Range \(Sheet1\) exceeds grid limits/],
      [{ deleteSheet: { sheetId: 9 } }, /^Invalid requests\[1\]\.deleteSheet: No grid with id: 9/],
      [{ writeCells: {} }, /Unknown name "writeCells" at 'requests\[1\]': Cannot find field/],
      [{ updateCells: { ...cells(0, 0, 'x').updateCells, extra: 1 } }, /requests\[1\]/],
      [{ addSheet: { properties: { sheetId: 0, title: 'Two' } } }, /A sheet with the ID 0 already exists/],
      [{ addSheet: { properties: { sheetId: 2, title: 'sheet1' } } }, /A sheet with the name/],
      [
        {
          insertDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 1000, endIndex: 1001 } },
        },
        /must be less than the grid size \(1000\) if inheritFromBefore is false/,
      ],
      [
        { appendDimension: { sheetId: 0, dimension: 'ROWS', length: 400_000 } },
        /above the limit of 10000000 cells/,
      ],
      [cells(0, 0, 'x'.repeat(50_001)), /more than the maximum of 50000 characters in a single cell/],
    ];
    for (const [request, message] of refused) {
      const [status, said] = await visitor.batch(id, cells(3, 3, 'must not stay'), request);
      assert.equal(status, 400);
      assert.match(said, message);
    }
    assert.deepEqual(simulator.control.grid(id, 0), []);
    const missing = await visitor.ask('GET', '/v4/spreadsheets/nope');
    assert.deepEqual(
      [missing.status, isRecord(missing.body.error) && missing.body.error.status],
      [404, 'NOT_FOUND'],
    );
    const file = await visitor.ask('GET', '/drive/v3/files/nope');
    const error = isRecord(file.body.error) ? file.body.error : {};
    assert.deepEqual([file.status, error.status, Array.isArray(error.errors)], [404, undefined, true]);
  });

  test('keeps texts as texts, and moves metadata with their column until it goes', async () => {
    const at = (index: number) => ({
      sheetId: 0,
      dimension: 'COLUMNS',
      startIndex: index,
      endIndex: index + 1,
    });
    const entry = (metadataId: number) => ({
      createDeveloperMetadata: {
        developerMetadata: {
          metadataId,
          metadataKey: 'k',
          metadataValue: 'v',
          visibility: 'PROJECT',
          location: { dimensionRange: at(1) },
        },
      },
    });
    assert.deepEqual(await visitor.batch(id, cells(0, 1, '=1+1', '42'), entry(77)), [200, '']);
    assert.match((await visitor.batch(id, entry(77)))[1], /in use already/);
    await visitor.batch(id, { moveDimension: { source: at(1), destinationIndex: 4 } });
    await visitor.batch(id, { insertDimension: { range: at(0) } });
    const search = async () => {
      const dataFilters = [{ developerMetadataLookup: { metadataKey: 'k' } }];
      const path = `/v4/spreadsheets/${id}/developerMetadata:search`;
      return JSON.stringify((await visitor.ask('POST', path, { dataFilters })).body);
    };
    assert.match(await search(), /"startIndex":4/);
    const read = await visitor.ask('POST', `/v4/spreadsheets/${id}/values:batchGetByDataFilter`, {
      dataFilters: [{ gridRange: { sheetId: 0, startColumnIndex: 4, endColumnIndex: 5 } }],
      majorDimension: 'COLUMNS',
      valueRenderOption: 'UNFORMATTED_VALUE',
    });
    assert.match(JSON.stringify(read.body), /"values":\[\["=1\+1","42"\]\]/);
    await visitor.batch(id, { deleteDimension: { range: at(4) } });
    assert.doesNotMatch(await search(), /startIndex/);
  });

  test('bounds what metadata take together', async () => {
    const long = {
      createDeveloperMetadata: {
        developerMetadata: {
          metadataKey: 'long',
          metadataValue: 'x'.repeat(20_000),
          visibility: 'PROJECT',
          location: { spreadsheet: true },
        },
      },
    };
    assert.equal((await visitor.batch(id, long))[0], 200);
    assert.equal((await visitor.batch(id, long))[0], 400);
  });

  test('refuses the call after the sixtieth of a minute as Google does', async () => {
    simulator.control.clear();
    let last = await visitor.ask('GET', `/v4/spreadsheets/${id}`);
    for (let call = 1; call < 61; call++) last = await visitor.ask('GET', `/v4/spreadsheets/${id}`);
    const error = isRecord(last.body.error) ? last.body.error : {};
    assert.deepEqual([last.status, error.status], [429, 'RESOURCE_EXHAUSTED']);
    assert.match(JSON.stringify(error.details), /"ReadRequestsPerMinutePerUser".*"60"/);
    assert.equal((await visitor.batch(id, cells(0, 0, 'writes are counted apart')))[0], 200);
    simulator.control.clear();
  });

  test('issues tokens as Google does', async () => {
    const one = new Visitor(simulator);
    const first = await one.signIn();
    assert.deepEqual(Object.keys(first).toSorted(), [
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    const fields = { grant_type: 'refresh_token', refresh_token: String(first.refresh_token) };
    const again = await one.form('/token', fields);
    assert.deepEqual([again.status, again.body.refresh_token], [200, undefined]);
    assert.equal((await one.form('/token', fields)).status, 200, 'a refresh token counts more than once');
    assert.equal((await one.form('/revoke', { token: fields.refresh_token })).status, 200);
    const over = await one.form('/token', fields);
    assert.deepEqual([over.status, over.body.error], [400, 'invalid_grant']);
    const wrong = await one.form('/token', { ...fields, client_secret: 'other' });
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client']);
  });
});

test('a member that Google does not name is found, in requests and in answers', () => {
  const path = '/v4/spreadsheets/x:batchUpdate';
  for (const [request, answer] of [
    ['{"requests":[{"updateCells":{"rowz":[]}}]}', '{"spreadsheetId":"x"}'],
    ['{"requests":[]}', '{"spreadsheetID":"x"}'],
    ['{"requests":[{"updateCells":{"start":{"rowIndex":"1"}}}]}', '{}'],
  ] as const) {
    const messages = new GoogleMessages();
    messages.check('POST', path, request, 200, answer);
    assert.equal(messages.problems.length, 1);
  }
});

describe('the pages of the simulator of Google Sheets', () => {
  let simulator: SheetsSimulator;
  let directory = '';
  const headers = ['Transaction ID', 'Description', 'Amount'];
  const show = async (path: string) => {
    const answer = await fetch(simulator.url + path);
    return { status: answer.status, html: await answer.text(), headers: answer.headers };
  };
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sheets-pages-'));
    simulator = await startSheetsSimulator({ ...CLIENT, stateFile: join(directory, 'sheets.json') });
  });
  after(async () => {
    await simulator.close();
    await rm(directory, { recursive: true, force: true });
  });

  test('show a spreadsheet as a grid, 200 rows at a time, and nothing of it as HTML', async () => {
    const id = simulator.control.addSpreadsheet({ title: '<b>Money</b>', headers });
    const rows = Array.from({ length: 450 }, (_, index) => ({
      values: [
        { userEnteredValue: { stringValue: `txn_${index}` } },
        { userEnteredValue: { stringValue: index === 0 ? '<script>alert(1)</script>' : 'x'.repeat(3000) } },
        { userEnteredValue: { numberValue: -1.5 } },
      ],
    }));
    const start = { sheetId: 0, rowIndex: 1, columnIndex: 0 };
    simulator.control.edit(id, [{ updateCells: { start, rows, fields: 'userEnteredValue' } }]);
    const [list = '', page = ''] = simulator.received.pages();
    const listed = await show(list);
    assert.equal(listed.status, 200);
    assert.match(listed.html, /&lt;b&gt;Money&lt;\/b&gt;/);
    const first = await show(page);
    assert.match(first.html, /450 rows, page 1 of 3/);
    assert.match(first.html, /&lt;script&gt;/);
    assert.doesNotMatch(first.html, /<script/);
    assert.match(first.html, /<td class="number"><span dir="auto">-1.5<\/span>/);
    assert.match(first.html, /<th class="letter">Z<\/th>/);
    assert.equal(first.html.match(/txn_\d+/g)?.length, 199);
    assert.ok(Buffer.byteLength(first.html) < 256 * 1024, 'it can be passed on');
    assert.match(first.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.match((await show(`${page}?gid=0&page=3`)).html, /txn_449/);
    assert.equal((await show(`${page}?gid=99`)).status, 404);
    assert.equal((await show('/spreadsheets/d/nope/edit')).status, 404);
  });

  test('and what is received stay after a restart', async () => {
    const before = simulator.received.rows();
    assert.equal(before.length, 450);
    assert.deepEqual(before[1]?.values.Amount, '-1.5');
    await simulator.close();
    simulator = await startSheetsSimulator({ ...CLIENT, stateFile: join(directory, 'sheets.json') });
    assert.deepEqual(simulator.received.rows(), before);
  });

  test('are served with a control API that does what a person does', async () => {
    const control = async (path: string, body?: unknown) => {
      const answer = await fetch(simulator.controlUrl + path, {
        ...(body === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, text };
    };
    const { text } = await control('/spreadsheets', { title: 'Mine', headers: ['Transaction ID'] });
    const { id } = JSON.parse(text);
    const start = { sheetId: 0, rowIndex: 1, columnIndex: 0 };
    const rows = [{ values: [{ userEnteredValue: { stringValue: 'txn_1' } }] }];
    const edit = { requests: [{ updateCells: { start, rows, fields: 'userEnteredValue' } }] };
    assert.equal((await control(`/spreadsheets/${id}/edit`, edit)).status, 204);
    assert.match((await control(`/spreadsheets/${id}/tabs/0`)).text, /txn_1/);
    for (const action of ['trash', 'restore', 'unpick', 'pick']) {
      assert.equal((await control(`/spreadsheets/${id}/${action}`, {})).status, 204);
    }
    assert.equal((await control(`/spreadsheets/${id}/protection`, { protected: true })).status, 204);
    assert.equal((await control(`/spreadsheets/${id}/read_only`, { read_only: true })).status, 204);
    assert.equal((await control('/refused-text', { text: 'x' })).status, 204);
    assert.equal((await control('/scope', { granted: false })).status, 204);
    assert.equal((await control('/revoke', {})).status, 204);
    assert.equal((await control(`/spreadsheets/${id}/edit`, { requests: [{ nope: {} }] })).status, 400);
    assert.equal((await control(`/spreadsheets/${id}/delete`, {})).status, 204);
    assert.equal((await control(`/spreadsheets/${id}/tabs/0`)).status, 400);
  });
});

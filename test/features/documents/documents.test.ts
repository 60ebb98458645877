import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Json } from '../../support/v2-client.ts';
import { CSV_LAYOUT, contentOf, csvOf, ofxOf, STATEMENT, upload, uploadAndTake } from './statements.ts';

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.close());

const ROWS = STATEMENT;

async function transactions(owner: TestOwner, account: string): Promise<readonly Json[]> {
  const path = `/v2/transactions?account=${account}&from=2026-01-01&to=2026-12-31&limit=100`;
  const { status, body } = await owner.v2('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

describe('a statement file', () => {
  test('becomes an account of a connection of category documents once it is taken', async () => {
    const owner = await service.owner();
    const uploaded = await upload(owner, 'october.ofx', ofxOf(ROWS));
    assert.deepEqual([uploaded.status, uploaded.format, uploaded.connection], ['uploaded', 'ofx', null]);
    assert.deepEqual((await owner.v2('GET', '/v2/connections')).body.data, []);
    const taken = await owner.v2('POST', `/v2/documents/${uploaded.id}/take`);
    assert.equal(taken.status, 200, JSON.stringify(taken.body));
    const [part] = taken.body.parts;
    assert.deepEqual([taken.body.status, part.rows, part.live_rows], ['taken', 3, 0]);
    const [connection] = (await owner.v2('GET', '/v2/connections')).body.data;
    assert.deepEqual(
      [connection.provider, connection.category, connection.status, connection.account_count],
      ['statement_files', 'documents', 'active', 1],
    );
    const account = (await owner.v2('GET', `/v2/accounts/${part.account}`)).body;
    assert.deepEqual([account.category, account.account_number], ['documents', 'xxxx5678']);
    const rows = await transactions(owner, part.account);
    assert.deepEqual(
      rows.map(({ date, amount, description }) => [date, amount.amount, description]),
      [
        ['2026-09-15', 250_000, 'Salary'],
        ['2026-09-01', -450, 'Corner Coffee'],
        ['2026-09-01', -450, 'Corner Coffee'],
      ],
    );
    const one = await owner.v2(
      'GET',
      `/v2/transactions/${rows[0].id}?account=${part.account}&from=2026-01-01`,
    );
    assert.equal(one.body.description, 'Salary');
    for (const path of [
      `/v2/accounts/${part.account}/balance`,
      `/v2/accounts/${part.account}/details`,
      `/v2/changes?account=${part.account}`,
    ]) {
      const { status, body } = await owner.v2('GET', path);
      assert.deepEqual([status, body.error.code], [400, 'wrong_endpoint_for_category'], path);
    }
  });

  test('that names no currency is in that of the person’s accounts, or of their zone, whose days it has', async () => {
    for (const [timezone, currency] of [
      ['Europe/Berlin', 'eur'],
      ['America/New_York', 'usd'],
      ['Europe/Zurich', 'chf'],
    ] as const) {
      const owner = await service.owner();
      await service.app.services.accountRecords.update(owner.record.id, { timezone });
      const { account } = await uploadAndTake(owner, 'rows.csv', csvOf(ROWS));
      assert.equal((await transactions(owner, account))[0]?.amount.currency, currency);
      const { db } = service.app.database;
      const stored = await db
        .selectFrom('accounts')
        .select(['timezone', 'currency'])
        .where('account_record', '=', owner.record.id)
        .execute();
      assert.deepEqual(stored, [{ timezone, currency }]);
    }
  });

  test('cannot be linked by a link session', async () => {
    const { v2 } = await service.owner();
    const asked = { provider: 'statement_files', return_url: 'https://app.invalid/' };
    const { status, body } = await v2('POST', '/v2/link_sessions', asked);
    assert.deepEqual([status, body.error.param], [400, 'provider']);
    assert.match(body.error.message, /POST \/v2\/documents/);
  });

  test('takes its rows out again in one call, and brings them back under the same ids [move document: its rows were taken out again]', async () => {
    const owner = await service.owner();
    const { id, account } = await uploadAndTake(owner, 'a.ofx', ofxOf(ROWS));
    const before = await transactions(owner, account);
    const undone = (await owner.v2('POST', `/v2/documents/${id}/undo`)).body;
    assert.deepEqual([undone.status, undone.parts], ['undone', []]);
    assert.deepEqual(await transactions(owner, account), []);
    await owner.v2('POST', `/v2/documents/${id}/take`);
    assert.deepEqual(await transactions(owner, account), before);
  });

  test('makes one account, with every row once, however many files of it are taken at the same moment', async () => {
    const owner = await service.owner();
    const files = [STATEMENT, STATEMENT.slice(1), STATEMENT.slice(0, 2)].map((rows) =>
      ofxOf(rows, '55501234'),
    );
    const ids = await Promise.all(files.map(async (text, at) => (await upload(owner, `${at}.ofx`, text)).id));
    const taken = await Promise.all(
      [...ids, ...ids].map((id) => owner.v2('POST', `/v2/documents/${id}/take`)),
    );
    assert.deepEqual([...new Set(taken.map(({ status }) => status))], [200]);
    const { data: accounts } = (await owner.v2('GET', '/v2/accounts')).body;
    assert.equal(accounts.length, 1);
    const rows = await owner.v2(
      'GET',
      `/v2/transactions?account=${accounts[0].id}&from=2026-09-01&to=2026-09-30`,
    );
    assert.equal(rows.body.data.length, STATEMENT.length);
  });

  test('of an account is found by its number, and shows what is new before it is taken', async () => {
    const owner = await service.owner();
    const { account } = await uploadAndTake(owner, 'a.ofx', ofxOf(ROWS));
    const more = [
      ...ROWS.slice(1),
      { date: '2026-10-02', amount: '-9.00', description: 'Books', reference: 'a4' },
    ];
    const { id } = await upload(owner, 'b.ofx', ofxOf(more));
    const preview = (await owner.v2('GET', `/v2/documents/${id}/preview`)).body;
    const [statement] = preview.statements;
    assert.deepEqual(
      [statement.account, statement.new_rows, statement.known_rows, statement.live_rows],
      [account, 1, 2, 0],
    );
    await owner.v2('POST', `/v2/documents/${id}/take`);
    assert.equal((await transactions(owner, account)).length, 4);
    assert.equal((await owner.v2('GET', '/v2/accounts')).body.data.length, 1);
  });

  test('is deleted at once with every row that only it has', async () => {
    const owner = await service.owner();
    const first = await uploadAndTake(owner, 'a.ofx', ofxOf(ROWS.slice(0, 2)));
    const second = await uploadAndTake(owner, 'b.ofx', ofxOf(ROWS.slice(1)));
    assert.equal(first.account, second.account);
    const ids = (await transactions(owner, first.account)).map((row) => row.id);
    assert.equal((await owner.v2('DELETE', `/v2/documents/${first.id}`)).body.deleted, true);
    const left = (await transactions(owner, first.account)).map((row) => row.id);
    assert.equal(left.length, 2);
    assert.ok(left.every((id) => ids.includes(id)));
    assert.equal((await owner.v2('GET', `/v2/documents/${first.id}`)).status, 404);
    assert.equal((await owner.v2('GET', `/v2/documents/${first.id}/file`)).status, 404);
  });

  test('of many rows is taken and read in slices, between which everything else has its turn', async () => {
    const owner = await service.owner();
    const rows = Array.from({ length: 12_000 }, (_, at) => ({
      date: `2026-0${(at % 9) + 1}-10`,
      amount: `-${at + 1}.50`,
      description: `Shop number ${at}`,
      reference: '',
    }));
    const { id } = await upload(owner, 'long.csv', csvOf(rows), { layout: CSV_LAYOUT });
    const turnsIn = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
      let [turns, over] = [0, false];
      const count = (): void => {
        turns += 1;
        if (!over) setTimeout(count);
      };
      count();
      const result = await work.finally(() => {
        over = true;
      });
      return [result, turns];
    };
    const [taken, takingTurns] = await turnsIn(owner.v2('POST', `/v2/documents/${id}/take`));
    const path = `/v2/transactions?account=${taken.body.parts[0].account}&from=2026-01-01&to=2026-12-31&limit=1`;
    const [{ status, body }, readingTurns] = await turnsIn(owner.v2('GET', path));
    assert.deepEqual([status, body.data.length], [200, 1]);
    // In one piece, each would be a few turns: those of the request and of the database.
    assert.ok(takingTurns > 30, `${takingTurns} turns while it was taken`);
    assert.ok(readingTurns > 15, `${readingTurns} turns while it was read`);
  });

  test('is the same document if it is uploaded again, and comes back as it was', async () => {
    const owner = await service.owner();
    const content = ofxOf(ROWS);
    const [one, other] = [await upload(owner, 'a.ofx', content), await upload(owner, 'copy.ofx', content)];
    assert.equal(one.id, other.id);
    const file = (await owner.v2('GET', `/v2/documents/${one.id}/file`)).body;
    assert.equal(file.content, contentOf(content));
  });

  test('that is no statement is refused with a reason [code document_unusable]', async () => {
    const { v2 } = await service.owner();
    const { status, body } = await v2('POST', '/v2/documents', {
      name: 'picture.png',
      content: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]).toString('base64'),
    });
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'document_unusable', 'content']);
    assert.deepEqual((await v2('GET', '/v2/documents')).body.data, []);
  });

  test('keeps how it is read while its rows are shown [code document_taken] [move document: its rows were taken]', async () => {
    const owner = await service.owner();
    const { id } = await uploadAndTake(owner, 'a.ofx', ofxOf(ROWS));
    const { status, body } = await owner.v2('POST', `/v2/documents/${id}`, { account: null });
    assert.deepEqual([status, body.error.code], [409, 'document_taken']);
    assert.equal(
      (await owner.v2('POST', `/v2/documents/${id}`, { retain_days: null })).body.retain_days,
      null,
    );
  });

  test('as CSV is read as its owner says, and the next one of the account as well', async () => {
    const owner = await service.owner();
    const { id } = await upload(owner, 'a.csv', csvOf(ROWS));
    const preview = (await owner.v2('GET', `/v2/documents/${id}/preview`)).body;
    assert.deepEqual(preview.csv.header, ['Date', 'Description', 'Amount']);
    const [{ from, to }] = preview.statements;
    assert.deepEqual([from, to], ['2026-09-01', '2026-09-15']);
    assert.equal(preview.statements[0].new_rows, 3);
    const layout = { ...preview.csv.layout, positive: 'out' };
    await owner.v2('POST', `/v2/documents/${id}`, { layout });
    const { account } = (await owner.v2('POST', `/v2/documents/${id}/take`)).body.parts[0];
    assert.equal((await transactions(owner, account))[0].amount.amount, -250_000);
    const next = await upload(
      owner,
      'b.csv',
      csvOf([...ROWS, { date: '2026-09-30', amount: '7.00', description: 'Tea', reference: '' }]),
      { account },
    );
    await owner.v2('POST', `/v2/documents/${next.id}/take`);
    const rows = await transactions(owner, account);
    assert.deepEqual([rows.length, rows[0].amount.amount], [4, -700]);
  });

  test('as CSV whose columns cannot be guessed shows its cells as they are split, until they are named', async () => {
    const owner = await service.owner();
    const { id } = await upload(owner, 'a.csv', 'What|When|How much\nCoffee|today|four\n');
    const { csv, statements } = (await owner.v2('GET', `/v2/documents/${id}/preview`)).body;
    assert.deepEqual([csv.layout, csv.delimiter, csv.skip_lines, statements], [null, '|', 0, []]);
    assert.deepEqual(csv.header, ['What', 'When', 'How much']);
    assert.deepEqual(csv.rows, [{ position: 2, cells: ['Coffee', 'today', 'four'], unreadable: null }]);
    const layout = { ...CSV_LAYOUT, header: false };
    await owner.v2('POST', `/v2/documents/${id}`, { layout });
    const corrected = (await owner.v2('GET', `/v2/documents/${id}/preview`)).body.csv;
    assert.deepEqual([corrected.delimiter, corrected.header], [',', ['What|When|How much']]);
  });

  test('is deleted with the connection, and its account keeps its id when the file is taken again', async () => {
    const owner = await service.owner();
    const { account, connection } = await uploadAndTake(owner, 'a.ofx', ofxOf(ROWS));
    const ids = (await transactions(owner, account)).map((row) => row.id);
    await owner.v2('DELETE', `/v2/connections/${connection}`);
    assert.deepEqual((await owner.v2('GET', '/v2/documents')).body.data, []);
    const again = await uploadAndTake(owner, 'a.ofx', ofxOf(ROWS));
    assert.equal(again.account, account);
    assert.deepEqual(
      (await transactions(owner, account)).map((row) => row.id),
      ids,
    );
  });

  test('belongs to one account record', async () => {
    const [owner, other] = [await service.owner(), await service.owner()];
    const { id, account } = await uploadAndTake(owner, 'a.ofx', ofxOf(ROWS));
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/file'],
      ['GET', '/preview'],
      ['POST', '/take'],
      ['POST', '/undo'],
      ['DELETE', ''],
    ] as const)
      assert.equal((await other.v2(method, `/v2/documents/${id}${path}`)).status, 404, `${method} ${path}`);
    const theirs = await upload(other, 'a.ofx', ofxOf(ROWS));
    assert.notEqual(theirs.id, id);
    assert.equal((await other.v2('POST', `/v2/documents/${theirs.id}`, { account })).status, 404);
  });
});

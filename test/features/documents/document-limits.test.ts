import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { FileReading } from '../../../src/features/documents/file-reading.ts';
import { ShiftedClock } from '../../../src/platform/clock.ts';
import { parsePublicId, rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import { contentOf, ofxOf, STATEMENT, type TestRow, upload, uploadAndTake } from './statements.ts';

const DAY_MS = 86_400_000;
const clock = new ShiftedClock();
let service: TestService;
before(async () => {
  service = await startService(
    {
      LIMIT_DOCUMENTS: '3',
      LIMIT_DOCUMENT_BYTES: '2000',
      LIMIT_DOCUMENTS_BYTES: '4500',
      LIMIT_DOCUMENT_ROWS: '7',
      ROLES: 'api,worker',
      REDIS_URL: '',
    },
    { clock },
  );
});
after(() => service.close());

function present<T>(value: T | null): T {
  assert.ok(value !== null);
  return value;
}

const one = (number: string): string => ofxOf(STATEMENT.slice(0, 1), number);
const sized = (bytes: number, number: string): string => {
  const text = one(number);
  return `${text}${' '.repeat(bytes - text.length)}`;
};

describe('statement files are bounded', () => {
  const refused = async (owner: TestOwner, text: string): Promise<string> => {
    const { status, body } = await owner.v2('POST', '/v2/documents', {
      name: 'a.ofx',
      content: contentOf(text),
    });
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'parameter_invalid', 'content']);
    return body.error.message;
  };

  test('in number for each account record, also where several arrive at once [limit documents]', async () => {
    const [owner, other] = [await service.owner(), await service.owner()];
    const answers = await Promise.all(
      ['1', '2', '3', '4', '5'].map((number) =>
        owner.v2('POST', '/v2/documents', { name: 'a.ofx', content: contentOf(one(number)) }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    assert.match(await refused(owner, one('6')), /already 3 statement files/);
    await upload(other, 'a.ofx', one('1'));
  });

  test('in bytes of one file [limit document_bytes] and of all together [limit documents_bytes]', async () => {
    const owner = await service.owner();
    await upload(owner, 'a.ofx', sized(2000, '1'));
    assert.match(await refused(owner, sized(2001, '2')), /more than 2000 bytes/);
    await upload(owner, 'b.ofx', sized(2000, '3'));
    assert.match(await refused(owner, one('4').padEnd(1600)), /more than 4500 bytes together/);
  });

  test('in rows that are taken, those of several files counted in each [limit document_rows]', async () => {
    const owner = await service.owner();
    const take = async (rows: readonly TestRow[], name: string) => {
      const { id } = await upload(owner, name, ofxOf(rows));
      return { id, ...(await owner.v2('POST', `/v2/documents/${id}/take`)) };
    };
    const more = { date: '2026-10-02', amount: '-9.00', description: 'Books', reference: 'a4' };
    assert.equal((await take(STATEMENT, 'a.ofx')).status, 200);
    const second = await take([...STATEMENT, more], 'b.ofx');
    assert.equal(second.status, 200);
    const { id, status, body } = await take([more], 'c.ofx');
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'parameter_invalid', 'id']);
    assert.match(body.error.message, /more than 7 rows together/);
    await owner.v2('POST', `/v2/documents/${second.id}/undo`);
    assert.equal((await owner.v2('POST', `/v2/documents/${id}/take`)).status, 200);
  });

  test('in how many are read at once [limit document_parses_at_once], and wait [limit document_parses_waiting]: a greedy owner has one read and delays no other', async () => {
    const limits = { ...DEFAULT_LIMITS, document_parses_at_once: 2, document_parses_waiting: 4 };
    const done = Promise.withResolvers<void>();
    let running = 0;
    const reading = new FileReading(
      {
        parse: () => Promise.reject(new Error('not asked')),
        guessCsv: () => Promise.reject(new Error('not asked')),
        previewCsv: () => Promise.reject(new Error('not asked')),
      },
      limits,
    );
    const owner = (digit: number) => rowId('account_record', `0199b1f2-0000-7000-8000-00000000000${digit}`);
    const { signal } = new AbortController();
    const work = async (): Promise<string> => {
      running += 1;
      await done.promise;
      return 'read';
    };
    const greedy = Array.from({ length: 8 }, () => reading.inTurn(owner(1), signal, work));
    const settled = Promise.allSettled(greedy);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(running, 1);
    const other = reading.inTurn(owner(2), signal, async () => 'at once');
    assert.equal(await other, 'at once');
    done.resolve();
    const outcomes = await settled;
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    assert.deepEqual([...new Set(refusals)], ['rate_limit_exceeded']);
    assert.equal(outcomes.length - refusals.length, 3);
  });
});

describe('a statement file that every sync delivered', () => {
  const sweep = () => service.app.documentRetention.sweep(AbortSignal.timeout(60_000));

  test('is deleted after its days, counted from then, and its rows are not taken for withdrawn', async () => {
    const owner = await service.owner();
    const { id, account } = await uploadAndTake(owner, 'a.ofx', ofxOf(STATEMENT), { retain_days: 5 });
    const there = async () => (await owner.v2('GET', `/v2/documents/${id}`)).status;
    clock.advance(100 * DAY_MS);
    await sweep();
    assert.equal(await there(), 200, 'no sync reads it yet');
    const destination = await owner.v2('POST', '/v2/destinations', {
      type: 'webhook',
      name: 'books',
      target: { url: 'http://127.0.0.1:9/hook' },
    });
    const sync = await owner.v2('POST', '/v2/syncs', {
      type: 'transactions',
      name: 'All',
      destination: destination.body.id,
      accounts: [account],
      mapping_mode: 'bulk',
      run_now: false,
    });
    assert.equal(sync.status, 201, JSON.stringify(sync.body));
    await sweep();
    assert.equal((await owner.v2('GET', `/v2/documents/${id}`)).body.delivered_at, null);
    await sql`update delivery_streams set cursor = ${new Date(clock.now())}::timestamptz`.execute(
      service.app.database.db,
    );
    await sweep();
    assert.notEqual((await owner.v2('GET', `/v2/documents/${id}`)).body.delivered_at, null);
    clock.advance(4 * DAY_MS);
    await sweep();
    assert.equal(await there(), 200);
    clock.advance(2 * DAY_MS);
    await sweep();
    assert.equal(await there(), 404);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from document_pieces
      where account_record = ${owner.record.id}::uuid`.execute(service.app.database.db);
    assert.equal(rows[0]?.count, 0);
    const opened = await service.app.linking.accounts.resolve(
      owner.record.id,
      present(parsePublicId('account', account)),
    );
    const state = await service.app.gateway.accounts.historyState(
      opened.gateway,
      AbortSignal.timeout(10_000),
    );
    assert.equal(state, 'forgotten');
  });

  test('is kept where its owner said so', async () => {
    const owner = await service.owner();
    const { id } = await uploadAndTake(owner, 'a.ofx', ofxOf(STATEMENT), { retain_days: null });
    clock.advance(1000 * DAY_MS);
    await sweep();
    assert.equal((await owner.v2('GET', `/v2/documents/${id}`)).status, 200);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decimal, plainDecimal } from '../../../src/connectors/providers/kit/decimal.ts';
import {
  parseExact,
  parsePlain,
  parseRowsOfTexts,
  rowsOf,
  type WireObject,
} from '../../../src/connectors/providers/kit/json.ts';
import {
  allRows,
  pagesByCursor,
  Repeats,
  type WirePage,
} from '../../../src/connectors/providers/kit/paging.ts';
import {
  failureOfAnswer,
  ONE_OBJECT,
  VendorCalls,
  type VendorErrors,
} from '../../../src/connectors/providers/kit/vendor-calls.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import { OutgoingFailure } from '../../../src/platform/outgoing-failure.ts';
import { OutgoingResponse } from '../../../src/platform/outgoing-response.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';

const CLOCK: Clock = { now: () => Date.UTC(2026, 0, 1), sleep: async () => undefined };
const ERRORS: VendorErrors = {
  read: (body) => ({
    codes: [String(body.code ?? '')],
    message: typeof body.detail === 'string' ? body.detail : null,
  }),
  codes: [[/^TEAPOT$/, 'not_implemented']],
  situation: (status) => (status === 402 ? 'grant_rejected' : null),
};

function answer(status: number, body: string, headers: Record<string, string> = {}): OutgoingResponse {
  return new OutgoingResponse('https://vendor.example', status, headers, Buffer.from(body));
}

function objectOf(json: string): WireObject {
  const [row] = rowsOf([parseExact(json)], 'rows');
  return row ?? assert.fail();
}

function situationOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UpstreamFailure) return error.situation;
  }
  return assert.fail('no UpstreamFailure');
}

async function rejects(work: Promise<unknown>): Promise<UpstreamFailure> {
  const error: unknown = await work.then(
    () => null,
    (raised) => raised,
  );
  return error instanceof UpstreamFailure ? error : assert.fail(String(error));
}

describe('Exact numbers of an adapter', () => {
  it('are the digits as sent, also where a float would lose or round some', () => {
    for (const sent of [
      '1.10',
      '0.1',
      '33.1234',
      '9007199254740993',
      '-0.30000000000000004',
      '12345678901234.56',
    ])
      assert.equal(decimal(objectOf(`{"amount":${sent}}`), 'amount', 'amount'), sent);
    assert.equal(decimal(objectOf('{"amount":"1.10"}'), 'amount', 'amount'), '1.10');
    assert.equal(decimal(objectOf('{"Amount":2.50}'), 'amount', 'amount', 'Amount'), '2.50');
    assert.equal(decimal(objectOf('{"amount":null}'), 'amount', 'amount'), null);
  });

  it('lose their exponent and no digit', () => {
    const pairs = [
      ['1.5e-7', '0.00000015'],
      ['1E5', '100000'],
      ['-2.50e1', '-25.0'],
      ['1.234e+2', '123.4'],
      ['0e0', '0'],
      ['12e-2', '0.12'],
    ] as const;
    for (const [sent, plain] of pairs)
      assert.equal(decimal(objectOf(`{"amount":${sent}}`), 'amount', 'amount'), plain);
    for (const sent of ['1e40', '1e-40', '1e999', 'NaN', '1,5', '0x10', '', ' 1', '1e', 'e5'])
      assert.equal(plainDecimal(sent), null, sent);
  });

  it('have no plus, and zero has no minus', () => {
    for (const [sent, plain] of [
      ['+5', '5'],
      ['+0.50', '0.50'],
      ['+1e2', '100'],
      ['-0', '0'],
      ['-0.00', '0.00'],
      ['-0e3', '0'],
      ['-0.01', '-0.01'],
    ] as const)
      assert.equal(plainDecimal(sent), plain, sent);
    for (const sent of ['+', '++5', '+-5', '-+5', '-', '-.']) assert.equal(plainDecimal(sent), null, sent);
  });

  it('agree with the same number computed in integers', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.integer({ min: -12, max: 12 }),
        (units, exponent) => {
          const plain = plainDecimal(`${units}e${exponent}`) ?? assert.fail();
          const [whole = '', fraction = ''] = plain.split('.');
          const scaled = BigInt(whole + fraction) * 10n ** BigInt(12 - fraction.length);
          assert.equal(scaled, units * 10n ** BigInt(12 + exponent));
        },
      ),
    );
  });

  it('are refused where they went through a float, and where they are no number', () => {
    const [plain] = rowsOf([parsePlain('{"amount":0.1}')], 'rows');
    assert.equal(
      situationOf(() => decimal(plain ?? {}, 'amount', 'amount')),
      'malformed',
    );
    assert.equal(
      situationOf(() => decimal(objectOf('{"amount":"12 AUD"}'), 'amount', 'amount')),
      'malformed',
    );
    const rows = rowsOf(
      parseRowsOfTexts('{"rows":[{"amount":"1"},{"amount":1.10}]}', 'rows', 'amount'),
      'rows',
    );
    assert.equal(decimal(rows[1] ?? {}, 'amount', 'amount'), '1.10');
  });
});

describe('A failed call of an adapter', () => {
  const failure = (status: number, body = '', headers: Record<string, string> = {}, kind = {}) =>
    failureOfAnswer(answer(status, body, headers), { ...ONE_OBJECT, ...kind }, ERRORS, CLOCK);

  it('becomes a situation: by the vendor’s code, else by its own statuses, else by HTTP', () => {
    assert.equal(failure(500, '{"code":"TEAPOT"}').situation, 'not_implemented');
    assert.equal(failure(402).situation, 'grant_rejected');
    assert.equal(failure(404).situation, 'other');
    assert.equal(failure(404, '', {}, { account: true }).situation, 'account_gone');
    assert.equal(failure(503, '', {}, { cursor: true }).situation, 'stale_cursor');
    assert.equal(failure(599).situation, 'server_error');
  });

  it('says what the vendor said, without numbers that could be an account’s', () => {
    const { message } = failure(400, '{"detail":"Account 12-3456-7890123-00 is closed"}');
    assert.match(message, /^It answered 400: Account /);
    assert.ok(!message.includes('7890123'));
    for (const body of ['', 'no', '[]', 'null', '"x"'])
      assert.equal(failure(418, body).message, 'It answered 418.');
  });

  it('waits as long as it was asked to, in seconds or until a date, and never longer than a day', () => {
    const wait = (status: number, after: string) =>
      failure(status, '', { 'retry-after': after }).retryAfterSeconds;
    assert.equal(wait(429, '7'), 7);
    assert.equal(wait(429, '0'), 1);
    assert.equal(wait(429, '85092'), 85_092);
    for (const absurd of ['86401', '99999999999999', 'Thu, 01 Jan 2099 00:00:00 GMT'])
      assert.equal(wait(429, absurd), 86_400);
    for (const unusable of ['-7', '1e9', '7.5']) assert.equal(wait(429, unusable), null);
    assert.equal(wait(425, 'Thu, 01 Jan 2026 00:00:42 GMT'), 42);
    assert.equal(wait(429, 'soon'), null);
    assert.equal(wait(500, '7'), null);
  });

  it('is repeated once where that may help, and not where it cannot', async () => {
    const outcomes = async (script: readonly (number | OutgoingFailure)[]) => {
      let asked = 0;
      const calls = new VendorCalls({
        http: {
          request: async () => {
            const step = script[Math.min(asked++, script.length - 1)] ?? assert.fail();
            if (step instanceof OutgoingFailure) throw step;
            return answer(step, '{}');
          },
        },
        clock: CLOCK,
        limits: DEFAULT_LIMITS,
        baseUrl: 'https://vendor.example/v1/',
        errors: ERRORS,
      });
      const call = { method: 'GET', path: '/things', headers: {}, kind: ONE_OBJECT } as const;
      const ended = await calls
        .again(undefined, async () => calls.bodyOf(await calls.send(call), ONE_OBJECT))
        .catch((error: unknown) =>
          error instanceof UpstreamFailure ? error.situation : assert.fail(String(error)),
        );
      return [ended, asked];
    };
    const reset = new OutgoingFailure('reset', 'https://vendor.example closed the connection.', true);
    assert.deepEqual(await outcomes([500, 200]), ['{}', 2]);
    assert.deepEqual(await outcomes([reset, 200]), ['{}', 2]);
    assert.deepEqual(await outcomes([500]), ['server_error', 2]);
    assert.deepEqual(await outcomes([429, 200]), ['rate_limited', 1]);
    assert.deepEqual(await outcomes([402, 200]), ['grant_rejected', 1]);
  });
});

describe('An answer to an adapter', () => {
  const calls = new VendorCalls({
    http: { request: () => assert.fail() },
    clock: CLOCK,
    limits: { ...DEFAULT_LIMITS, answer_depth: 4, answer_values: 100 },
    baseUrl: 'https://vendor.example',
    errors: ERRORS,
  });

  it('is not parsed when it is nested too deep or holds too many values', () => {
    for (const body of ['['.repeat(5) + ']'.repeat(5), `[${'1,'.repeat(200)}1]`])
      assert.equal(
        situationOf(() => calls.bodyOf(answer(200, body), ONE_OBJECT)),
        'malformed',
      );
  });
});

describe('Pages read by an adapter', () => {
  const row = { id: 'a' };
  const paged = (page: (cursor: string | null) => WirePage) => {
    let asked = 0;
    const read = allRows(
      () =>
        pagesByCursor(async (cursor) => {
          asked += 1;
          return page(cursor);
        }, DEFAULT_LIMITS),
      { list_rows: 50, list_pages: 40 },
    );
    return { read, asked: () => asked };
  };

  it('come in order, each asked for once, past empty ones', async () => {
    const { read, asked } = paged((cursor) => {
      const at = Number(cursor ?? 0);
      return { rows: at % 2 === 0 ? [{ id: String(at) }] : [], next: at < 5 ? String(at + 1) : null };
    });
    assert.deepEqual(await read, [{ id: '0' }, { id: '2' }, { id: '4' }]);
    assert.equal(asked(), 6);
  });

  it('end where they do not advance: the same cursor, empty pages without end, rows without end', async () => {
    for (const page of [
      (): WirePage => ({ rows: [row], next: 'same' }),
      (cursor: string | null): WirePage => ({ rows: [], next: `${cursor}x` }),
      (cursor: string | null): WirePage => ({ rows: [row, row], next: `${cursor}x` }),
      (): WirePage => ({
        rows: Array.from({ length: DEFAULT_LIMITS.answer_page_rows + 1 }, () => row),
        next: null,
      }),
    ]) {
      const { read, asked } = paged(page);
      assert.equal((await rejects(read)).situation, 'malformed');
      assert.ok(asked() <= 26, `${asked()} pages`);
    }
  });

  it('get one new start after a stale cursor, and not a second', async () => {
    let stale = 1;
    const page = (cursor: string | null): WirePage => {
      if (cursor !== null && stale-- > 0) throw new UpstreamFailure('stale_cursor', 'gone');
      return cursor === null ? { rows: [row], next: 'b' } : { rows: [{ id: 'b' }], next: null };
    };
    assert.deepEqual(await paged(page).read, [row, { id: 'b' }]);
    stale = 2;
    assert.equal((await rejects(paged(page).read)).situation, 'stale_cursor');
  });

  it('that bring no new row are a loop', () => {
    const repeats = new Repeats();
    assert.deepEqual(
      ['a', 'b', 'a'].map((id) => repeats.isNew(id)),
      [true, true, false],
    );
    for (let page = 1; page < 20; page++) repeats.endPage(false);
    repeats.endPage(true);
    for (let page = 1; page < 20; page++) repeats.endPage(false);
    assert.equal(
      situationOf(() => repeats.endPage(false)),
      'malformed',
    );
  });
});

import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, it } from 'node:test';
import type { Limits } from '../../../src/vocabulary/limits.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { immediateClock } from './au-banking-bank.ts';
import { GRANT, json, type Script, wireRow, withScriptedVendor } from './scripted-vendor.ts';

const never = new AbortController().signal;
const MB = 1024 * 1024;

const refusal = (what: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UpstreamFailure);
  assert.equal(error.situation, 'malformed');
  assert.match(error.message, what);
  return true;
};

const TRIES = 6;
const BLOCKED_MS = 400;

/**
 * The longest that nothing else could run while `work` did, the least of a few times unless it is below the bar: the
 * machine may stand still meanwhile. And how much memory it added the first time.
 */
async function strain(
  work: () => Promise<void>,
  barMs = Number.POSITIVE_INFINITY,
): Promise<{ blockedMs: number; grownMb: number }> {
  const { blockedMs, grownMb } = await strainOnce(work);
  let least = blockedMs;
  for (let tried = 1; tried < TRIES && least >= barMs; tried++)
    least = Math.min(least, (await strainOnce(work)).blockedMs);
  return { blockedMs: least, grownMb };
}

/** As seen every 10 ms. */
async function strainOnce(work: () => Promise<void>): Promise<{ blockedMs: number; grownMb: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  delay.enable();
  try {
    await work();
  } finally {
    delay.disable();
    clearInterval(watch);
  }
  return { blockedMs: delay.max / 1e6, grownMb: (Math.max(peak, process.memoryUsage.rss()) - before) / MB };
}

const answering =
  (path: string, body: Buffer, headers: Record<string, string> = {}): Script =>
  (url) =>
    url.pathname === path ? { body, headers } : null;

const bounded = (limits: Partial<Limits>, script: Script, body: Parameters<typeof withScriptedVendor>[1]) =>
  withScriptedVendor(script, body, immediateClock, limits);

describe('A bank that answers with too much', () => {
  const many = Buffer.from(`{"consents":[${'{"active":true},'.repeat(MB - 1000)}{}],"links":{}}`);
  const deep = Buffer.from(`{"accounts":${'['.repeat(7 * MB)}${']'.repeat(7 * MB)}}`);

  for (const [how, headers] of [
    ['with its length', {}],
    ['in chunks without a length', { 'transfer-encoding': 'chunked' }],
  ] as const) {
    it(`blocks nothing with 16 MB of consents sent ${how}`, async () => {
      assert.ok(many.length > 15.9 * MB);
      await withScriptedVendor(answering('/v1/consent', many, headers), async ({ provider }) => {
        const { blockedMs, grownMb } = await strain(
          () => assert.rejects(provider.readConsent(GRANT, never), refusal(/answer larger/)),
          BLOCKED_MS,
        );
        assert.ok(blockedMs < BLOCKED_MS, `it blocked for ${Math.round(blockedMs)} ms`);
        assert.ok(grownMb < 150, `it took ${Math.round(grownMb)} MB`);
      });
    });
  }

  it('blocks nothing with 14 MB of nested lists, nor with as much as may come', async () => {
    for (const limits of [{}, { answer_list_bytes: 16 * MB }]) {
      await bounded(limits, answering('/v1/banking/accounts', deep), async ({ provider }) => {
        const { blockedMs } = await strain(
          () => assert.rejects(provider.listAccounts(GRANT, never), refusal(/answer larger|nested too deep/)),
          BLOCKED_MS,
        );
        assert.ok(blockedMs < BLOCKED_MS, `it blocked for ${Math.round(blockedMs)} ms`);
      });
    }
  });

  it('is refused at the first byte beyond the bound of what was asked for [limit answer_object_bytes] [limit answer_list_bytes] [limit answer_page_bytes]', async () => {
    const padded = (value: object, bytes: number) => {
      const text = JSON.stringify(value);
      return Buffer.from(text + ' '.repeat(bytes - text.length));
    };
    const cases: readonly (readonly [keyof Limits, string, object])[] = [
      ['answer_object_bytes', '/v1/token', { token: 't', expires_in: 900 }],
      [
        'answer_list_bytes',
        '/v1/banking/accounts',
        { accounts: [{ account_id: 'acc-1', arrangement_id: 'arr-1' }] },
      ],
      ['answer_page_bytes', '/v1/banking/transactions', { transactions: [wireRow('a')], links: {} }],
    ];
    for (const [name, path, value] of cases) {
      for (const [bytes, fits] of [
        [2000, true],
        [2001, false],
      ] as const) {
        await bounded({ [name]: 2000 }, answering(path, padded(value, bytes)), async ({ rows }) => {
          if (fits) await rows();
          else if (name !== 'answer_list_bytes') await assert.rejects(rows(), refusal(/answer larger/));
        });
      }
    }
    await bounded(
      { answer_list_bytes: 2000 },
      answering('/v1/consent', padded({ consents: [] }, 2001)),
      ({ provider }) => assert.rejects(provider.readConsent(GRANT, never), refusal(/answer larger/)),
    );
  });

  it('is not read further than needed where it is an error [limit answer_error_bytes]', async () => {
    const said = { errors: [{ code: 'urn:au-cds:error:cds-banking:Authorisation/InvalidBankingAccount' }] };
    const text = JSON.stringify(said);
    const long = Buffer.from(text + ' '.repeat(20 * MB));
    for (const [bytes, situation] of [
      [text.length, 'account_gone'],
      [text.length - 1, 'bad_request'],
    ] as const) {
      const script: Script = (url) =>
        url.pathname.endsWith('/transactions') ? { status: 422, body: long } : null;
      await bounded({ answer_error_bytes: bytes }, script, ({ rows }) =>
        assert.rejects(rows(), { situation }),
      );
    }
  });

  it('is refused before it is parsed when it is nested deeper than a bank has reason to [limit answer_depth]', async () => {
    // The answer, its list, the row and two more.
    const script: Script = (url) =>
      url.pathname.endsWith('/transactions')
        ? json({ transactions: [wireRow('a', { more: { and: {} } })] })
        : null;
    await bounded({ answer_depth: 5 }, script, async ({ rows }) => assert.equal((await rows()).length, 1));
    await bounded({ answer_depth: 4 }, script, ({ rows }) =>
      assert.rejects(rows(), refusal(/nested too deep/)),
    );
  });

  it('is refused before it is parsed when it holds more values than a page can [limit answer_values]', async () => {
    const page = (more: number) => ({ transactions: [wireRow('a', { more: Array(more).fill(0) })] });
    const script: Script = (url) => (url.pathname.endsWith('/transactions') ? json(page(86)) : null);
    await bounded({ answer_values: 102 }, script, async ({ rows }) => assert.equal((await rows()).length, 1));
    await bounded({ answer_values: 101 }, script, ({ rows }) =>
      assert.rejects(rows(), refusal(/too many values/)),
    );
  });

  it('blocks for no longer than a moment with the most values that are accepted', async () => {
    const most = Buffer.from(`{"consents":[${'{"a":1,"b":2},'.repeat(66_000)}{}],"links":{}}`);
    const limits = { answer_page_rows: 100_000, list_rows: 100_000 };
    await bounded(limits, answering('/v1/consent', most), async ({ provider }) => {
      const { blockedMs } = await strain(
        () => assert.rejects(provider.readConsent(GRANT, never), { situation: 'grant_rejected' }),
        1500,
      );
      assert.ok(blockedMs < 1500, `it blocked for ${Math.round(blockedMs)} ms`);
    });
  });

  it('is refused when a page has more rows than were asked for twice over [limit answer_page_rows]', async () => {
    const page = (count: number) =>
      json({ transactions: Array.from({ length: count }, (_, at) => wireRow(`r${at}`)) });
    const script =
      (count: number): Script =>
      (url) =>
        url.pathname.endsWith('/transactions') ? page(count) : null;
    await bounded({ answer_page_rows: 3 }, script(3), async ({ rows }) =>
      assert.equal((await rows()).length, 3),
    );
    await bounded({ answer_page_rows: 3 }, script(4), ({ rows }) =>
      assert.rejects(rows(), refusal(/too many rows/)),
    );
  });
});

describe('A bank that writes too much into one field', () => {
  const accounts =
    (account: object): Script =>
    (url) => {
      if (url.pathname === '/v1/banking/accounts') return json({ accounts: [account] });
      return url.pathname === '/v1/banking/balances' ? json({ balances: [] }) : null;
    };

  it('has its names cut to the length of ours, and its ids refused', async () => {
    const named = { account_id: 'acc-1', arrangement_id: 'arr-1', nickname: 'n'.repeat(MB) };
    await withScriptedVendor(accounts(named), async ({ provider }) => {
      const [account] = await provider.listAccounts(GRANT, never);
      assert.equal(account?.name.length, 200);
    });
    const endless = { account_id: 'i'.repeat(256), arrangement_id: 'arr-1' };
    await withScriptedVendor(accounts(endless), async ({ provider }) => {
      await assert.rejects(provider.listAccounts(GRANT, never), refusal(/the id of a row is missing/));
    });
  });
});

describe('A bank whose lists do not end', () => {
  const endless =
    (perPage: number): Script =>
    (url) => {
      if (url.pathname !== '/v1/banking/accounts') return null;
      const page = Number(url.searchParams.get('page[after]') ?? 0);
      const accounts = Array.from({ length: perPage }, (_, at) => ({
        account_id: `a${page}-${at}`,
        arrangement_id: 'arr-1',
        nickname: 'x'.repeat(500),
      }));
      return json({ accounts, links: { next: `https://vendor.test/?page[after]=${page + 1}` } });
    };

  it('is given up after so many rows, and so many pages, in bounded memory [limit list_rows] [limit list_pages]', async () => {
    await withScriptedVendor(endless(1000), async ({ provider, asked }) => {
      const { grownMb } = await strain(() =>
        assert.rejects(provider.listAccounts(GRANT, never), refusal(/does not end/)),
      );
      assert.ok(grownMb < 200, `it took ${Math.round(grownMb)} MB`);
      assert.equal(asked.filter((url) => url.pathname === '/v1/banking/accounts').length, 6);
    });
    await withScriptedVendor(endless(1), async ({ provider, asked }) => {
      await assert.rejects(provider.listAccounts(GRANT, never), refusal(/does not end/));
      assert.equal(asked.filter((url) => url.pathname === '/v1/banking/accounts').length, 51);
    });
  });
});

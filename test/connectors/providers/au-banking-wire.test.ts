import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Clock } from '../../../src/platform/clock.ts';
import { NOW } from './au-banking-bank.ts';
import { fails } from './provider-contract.ts';
import { GRANT, json, wireRow, withScriptedVendor } from './scripted-vendor.ts';

const never = new AbortController().signal;
const balance = json({
  balances: [{ account_id: 'acc-1', current_balance: '1.00', currency: 'AUD' }],
  links: {},
});

describe('The au_banking wire', () => {
  it('mints one token for many calls at once, and renews it early', async () => {
    let now = NOW;
    const clock: Clock = { now: () => now, sleep: async () => undefined };
    await withScriptedVendor(
      (url) => (url.pathname === '/v1/banking/balances' ? balance : null),
      async ({ provider, asked }) => {
        const read = () => provider.readBalance(GRANT, 'acc-1', { live: false }, never);
        const mints = () => asked.filter((url) => url.pathname === '/v1/token').length;
        await Promise.all([read(), read(), read()]);
        assert.equal(mints(), 1);
        now += 800_000;
        await read();
        assert.equal(mints(), 1);
        now += 20_000;
        await read();
        assert.equal(mints(), 2);
      },
      clock,
    );
  });

  it('replaces a token that is refused once, and blames our credentials after the second refusal', async () => {
    let refusals = 1;
    await withScriptedVendor(
      (url) => {
        if (url.pathname !== '/v1/banking/balances') return null;
        return refusals-- > 0 ? json({ name: 'unauthorized' }, { status: 401 }) : balance;
      },
      async ({ provider, tokens }) => {
        const read = () => provider.readBalance(GRANT, 'acc-1', { live: false }, never);
        await read();
        assert.deepEqual(tokens, ['Bearer token-1', 'Bearer token-2']);
        refusals = 2;
        await fails(read(), 'own_credentials');
      },
    );
  });

  it('blames our credentials when no token is to be had', async () => {
    await withScriptedVendor(
      () => json({ name: 'unauthorized', message: 'bad secret' }, { status: 401 }),
      async ({ rows }) => {
        await fails(rows(), 'own_credentials');
      },
    );
  });

  it('never follows the address of the next page: the token goes to our own base only', async () => {
    await withScriptedVendor(
      (url) => {
        if (url.pathname !== '/v1/banking/transactions') return null;
        if (url.searchParams.get('page[after]') === 'c2')
          return json({ transactions: [wireRow('b')], links: {} });
        return json({
          transactions: [wireRow('a')],
          links: { next: 'https://evil.example/steal?page%5Bafter%5D=c2&end_user_id=somebody' },
        });
      },
      async ({ rows, asked }) => {
        assert.deepEqual(
          (await rows()).map((row) => row.id),
          ['txn_fk_a', 'txn_fk_b'],
        );
        assert.equal(asked.at(-1)?.searchParams.get('end_user_id'), 'eu_1');
      },
    );
  });

  it('reads an amount that comes as a JSON number from its source text, not through a float', async () => {
    const row = JSON.stringify(wireRow('a')).replace('"-12.34"', '90071992547409.91');
    await withScriptedVendor(
      (url) => (url.pathname === '/v1/banking/transactions' ? { body: `{"transactions":[${row}]}` } : null),
      async ({ rows }) => {
        const [read] = await rows();
        assert.equal(read?.amount.amount, 9007199254740991);
        assert.equal(read?.amount_decimal, '90071992547409.91');
      },
    );
  });

  it('asks for a wider window than wanted, as instants, because the vendor filters by posting time', async () => {
    await withScriptedVendor(
      () => null,
      async ({ rows, asked }) => {
        await rows();
        const query = asked.find((url) => url.pathname === '/v1/banking/transactions')?.searchParams;
        assert.equal(query?.get('from'), '2025-12-30T13:00:00.000Z');
        assert.equal(query?.get('to'), '2026-02-14T12:59:59.999Z');
      },
    );
  });

  it('gives up on pages that do not advance, instead of turning in circles', async () => {
    for (const page of [[wireRow('a')], []]) {
      await withScriptedVendor(
        (url) =>
          url.pathname === '/v1/banking/transactions'
            ? json({ transactions: page, links: { next: '/v1/x?page%5Bafter%5D=same' } })
            : null,
        async ({ rows, asked }) => {
          await fails(rows(), 'malformed');
          assert.ok(asked.length < 30);
        },
      );
    }
    let turn = 0;
    await withScriptedVendor(
      (url) =>
        url.pathname === '/v1/banking/transactions'
          ? json({ transactions: [wireRow('a')], links: { next: `/v1/x?page%5Bafter%5D=${++turn % 2}` } })
          : null,
      async ({ rows }) => {
        await fails(rows(), 'malformed');
      },
    );
  });

  it('leaves out rows of another bank that uses the same account id', async () => {
    const rows = [wireRow('a'), wireRow('b', { arrangement_id: 'arr-2', institution_id: '2' })];
    await withScriptedVendor(
      (url) => (url.pathname === '/v1/banking/transactions' ? json({ transactions: rows }) : null),
      async (vendor) => {
        assert.deepEqual(
          (await vendor.rows()).map((row) => row.id),
          ['txn_fk_a'],
        );
      },
    );
  });

  const answers = [
    [
      'a revoked consent in the standard codes',
      403,
      { errors: [{ code: 'urn:au-cds:error:cds-all:Authorisation/RevokedConsent' }] },
      'grant_rejected',
    ],
    ['an end user who is not known', 404, { name: 'end_user_not_found' }, 'grant_rejected'],
    [
      'a bank account that is gone',
      404,
      { errors: [{ code: 'urn:au-cds:error:cds-banking:Authorisation/InvalidBankingAccount' }] },
      'account_gone',
    ],
    [
      'a bank account that is away for a while',
      404,
      { errors: [{ code: 'urn:au-cds:error:cds-banking:Authorisation/UnavailableBankingAccount' }] },
      'temporarily_unavailable',
    ],
    ['a bad request', 400, { name: 'invalid', message: 'from is not in RFC3339 format' }, 'bad_request'],
    ['an unprocessable request', 422, {}, 'bad_request'],
    ['a forbidden call under a live consent', 403, { name: 'forbidden' }, 'other'],
    [
      'our own status at the register',
      403,
      { errors: [{ code: 'Authorisation/AdrStatusNotActive' }] },
      'own_credentials',
    ],
    ['data still being prepared', 425, {}, 'not_ready'],
    ['too many requests', 429, {}, 'rate_limited'],
    ['something not offered', 501, {}, 'not_implemented'],
    ['a bad gateway', 502, {}, 'server_error'],
    ['a gateway timeout', 504, {}, 'gateway_timeout'],
    ['a teapot', 418, {}, 'other'],
    ['a redirect', 302, {}, 'other'],
  ] as const;
  for (const [what, status, body, situation] of answers) {
    it(`tells ${what} from other failures`, async () => {
      await withScriptedVendor(
        (url) => (url.pathname === '/v1/banking/transactions' ? json(body, { status }) : null),
        async ({ rows }) => {
          await fails(rows(), situation);
        },
      );
    });
  }

  it('reads how long to wait from seconds and dates, within reason', async () => {
    const soon = new Date(NOW + 90_000).toUTCString();
    for (const [header, seconds] of [
      ['12', 12],
      ['0', 1],
      ['85092', 85_092],
      [soon, 90],
      ['soon', null],
    ] as const) {
      await withScriptedVendor(
        (url) =>
          url.pathname === '/v1/banking/transactions'
            ? json({}, { status: 429, headers: { 'retry-after': header } })
            : null,
        async ({ rows }) => {
          assert.equal((await fails(rows(), 'rate_limited')).retryAfterSeconds, seconds);
        },
      );
    }
  });

  it('shows no account number, token or line break of an upstream message', async () => {
    const message = 'account 062000 12345678 of bearer eyJhbGciOiJIUzI1NiJ9abc123 \n failed';
    await withScriptedVendor(
      (url) => (url.pathname === '/v1/banking/transactions' ? json({ message }, { status: 400 }) : null),
      async ({ rows }) => {
        const failure = await fails(rows(), 'bad_request');
        assert.doesNotMatch(failure.message, /12345678|eyJ|\n/);
        assert.match(failure.message, /failed/);
      },
    );
  });
});

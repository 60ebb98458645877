import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultKind } from '../../../sandbox/shared/faults.ts';
import { Breakers } from '../../../src/features/provider-gateway/call-guards.ts';
import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { eventually, withPatience } from '../../support/patience.ts';
import {
  all,
  BANK_NAME,
  EVER,
  type LinkedAccount,
  never,
  openGateway,
  type TestGateway,
} from './open-gateway.ts';
import { code } from './service-code.ts';

const BALANCES = 'GET /v1/banking/balances';
const TRANSACTIONS = 'GET /v1/banking/transactions';

describe('The gateway turns what goes wrong upstream into published codes', () => {
  let test: TestGateway;
  let account: LinkedAccount;

  before(async () => {
    test = await openGateway();
  });
  after(() => test.close());
  beforeEach(async () => {
    test.bank.simulator.control.clear();
    const [first] = await test.link('sole-trader');
    assert.ok(first);
    account = first;
  });

  const cases: readonly (readonly [FaultKind, ErrorCode, number, boolean])[] = [
    ['server-error', 'upstream_unavailable', 503, true],
    ['unavailable', 'upstream_unavailable', 503, true],
    ['connection-reset', 'upstream_unavailable', 503, true],
    ['rate-limit', 'upstream_rate_limited', 429, true],
    ['malformed-json', 'upstream_failed', 424, false],
    ['truncated-body', 'upstream_unavailable', 503, true],
  ];
  for (const [kind, expected, status, waits] of cases) {
    it(`answers ${expected} for ${kind}, naming the bank and, where waiting helps, for how long`, async () => {
      const { control } = test.bank.simulator;
      control.addFault({ route: BALANCES, kind, count: 2, retryAfterSeconds: 9 });
      control.addFault({ route: TRANSACTIONS, kind, count: 2, retryAfterSeconds: 9 });
      const errors = [
        await code(test.gateway.accounts.balance(account, {}, never), expected),
        await code(all(test.gateway.transactions.stream(account, { ...EVER, since: null }, never)), expected),
      ];
      for (const error of errors) {
        assert.equal(error.status, status);
        assert.ok(error.message.includes(BANK_NAME), error.message);
        assert.equal(error.retryAfterSeconds !== null, waits);
      }
    });
  }

  it('answers upstream_timeout when the deadline of a read passes, and lets the bank go [limit read_deadline_ms]', async () => {
    test.bank.simulator.control.addFault({ route: BALANCES, kind: 'hang' });
    const read = code(test.gateway.accounts.balance(account, {}, never), 'upstream_timeout');
    await eventually(() => test.clock.sleeping > 0);
    await test.clock.runFor(30_000);
    await read;
    test.bank.simulator.control.clear();
    await test.gateway.accounts.balance(account, {}, never);
  });

  it('gives each page of a stream the deadline of a read, however long the whole takes', async () => {
    const stream = test.gateway.transactions.stream(account, { ...EVER, since: null }, never);
    const first = await stream.next();
    assert.equal(first.done, false);
    test.clock.advance(3_600_000);
    await all(stream);
    test.bank.simulator.control.addFault({ route: TRANSACTIONS, kind: 'hang' });
    const hanging = code(
      all(test.gateway.transactions.stream(account, { ...EVER, since: null }, never)),
      'upstream_timeout',
    );
    await eventually(() => test.clock.sleeping > 0);
    await test.clock.runFor(30_000);
    await hanging;
  });

  it('stops when the last of those who wait has gone, and not before', async () => {
    const { control } = test.bank.simulator;
    const reason = new Error('gone');
    await withPatience([200, 8000], async (latencyMs) => {
      test.gateway.purge(account.connection.id);
      control.addFault({ route: BALANCES, kind: 'latency', latencyMs });
      const [stays, leaves] = [new AbortController(), new AbortController()];
      const kept = test.gateway.accounts.balance(account, {}, stays.signal);
      const left = test.gateway.accounts.balance(account, {}, leaves.signal);
      await eventually(() => test.clock.sleeping > 0);
      leaves.abort(reason);
      const refused = assert.rejects(left, (error) => error === reason);
      assert.equal((await kept).cache, 'MISS');
      await refused;
    });
    test.gateway.purge(account.connection.id);
    control.addFault({ route: BALANCES, kind: 'hang' });
    const last = new AbortController();
    const abandoned = test.gateway.accounts.balance(account, {}, last.signal);
    await eventually(() => test.clock.sleeping > 0);
    last.abort(reason);
    await assert.rejects(abandoned, (error) => error === reason);
    assert.equal(test.clock.sleeping, 0, 'the abandoned read is still waiting');
  });

  it('tells those who listen that a grant is dead, and answers upstream_auth_failed', async () => {
    const told: string[] = [];
    test.gateway.providers.onGrantRejected(async (connection) => {
      told.push(connection);
      throw new Error('a listener that fails');
    });
    test.bank.simulator.control.revokeConsent(account.grant.consent);
    const error = await code(test.gateway.accounts.balance(account, {}, never), 'upstream_auth_failed');
    assert.equal(error.status, 424);
    await code(test.gateway.transactions.list(account, EVER, never), 'upstream_auth_failed');
    assert.deepEqual(told, [account.connection.id, account.connection.id]);
  });

  it('answers account_unavailable for an account that is gone', async () => {
    const gone = { ...account, upstreamId: 'no-such-account' };
    await code(test.gateway.accounts.balance(gone, {}, never), 'account_unavailable');
  });

  it('answers gateway_unavailable before any call where the provider is not set up, not_supported where it lacks the read', async () => {
    const foreign = { ...account, connection: { ...account.connection, provider: 'brokerage' as const } };
    test.asked('/');
    const error = await code(test.gateway.accounts.balance(foreign, {}, never), 'gateway_unavailable');
    assert.deepEqual([error.status, error.message.includes('brokerage')], [503, true]);
    await code(test.gateway.institutions.read('nz_banking', {}, never), 'gateway_unavailable');
    await code(test.gateway.positions.holdings(account, never), 'not_supported');
    assert.equal(test.asked('/'), 0);
    assert.equal(test.gateway.providers.capabilities('brokerage').size, 0);
  });
});

describe('The breaker', () => {
  it('leaves a failing bank alone, not the other banks, and tries again after a rest', async () => {
    await withPatience([300, 8000], restsFor);
  });

  async function restsFor(restMs: number): Promise<void> {
    const test = await openGateway({ breaker: { failures: 3, restMs } });
    try {
      const [account] = await test.link('sole-trader');
      const [other] = await test.link('sole-trader', { institution: '90001' });
      assert.ok(account && other);
      const { control } = test.bank.simulator;
      control.addFault({ route: BALANCES, kind: 'server-error', count: 6 });
      for (let turn = 0; turn < 3; turn++) {
        await code(test.gateway.accounts.balance(account, {}, never), 'upstream_unavailable');
      }
      test.asked('/');
      const refused = await code(test.gateway.accounts.balance(account, {}, never), 'upstream_unavailable');
      assert.ok(refused.retryAfterSeconds !== null);
      assert.equal(test.asked('/'), 0, 'an open breaker let a call through');
      await test.gateway.accounts.balance(other, {}, never);
      await wait(restMs + 50);
      await test.gateway.accounts.balance(account, {}, never);
    } finally {
      await test.close();
    }
  }

  it("stays closed for others when one owner's reads meet unusable answers, and opens for that account", async () => {
    const test = await openGateway({ breaker: { failures: 3, restMs: 60_000 } });
    try {
      const [mine, another] = await test.link('sole-trader');
      const [theirs] = await test.link('sole-trader');
      assert.ok(mine && another && theirs);
      for (let turn = 0; turn < 6; turn++) {
        if (turn < 3) test.bank.simulator.control.addFault({ route: BALANCES, kind: 'malformed-json' });
        const expected = turn < 3 ? 'upstream_failed' : 'upstream_unavailable';
        await code(test.gateway.accounts.balance(mine, {}, never), expected);
        await test.gateway.accounts.balance(theirs, { live: true }, never);
      }
      await test.gateway.accounts.balance(another, {}, never);
    } finally {
      await test.close();
    }
  });

  it('opens for everyone when reads of several owners time out, and not when those of one do', async () => {
    const breakers = new Breakers({ failures: 3, restMs: 60_000 });
    const [one, two, three] = [0, 1, 2].map(() => rowId('account_record', randomUUID()));
    const call = (owner = one) => ({
      provider: 'au_banking' as const,
      institution: 'bank',
      owner: owner ?? null,
      about: rowId('account', randomUUID()),
    });
    const ends = (by: typeof one, situation: 'deadline' | 'server_error') =>
      breakers.run(call(by), () => Promise.reject(new UpstreamFailure(situation, 'It failed.')));
    const situationOf = async (work: Promise<unknown>) => {
      try {
        await work;
      } catch (error) {
        return error instanceof UpstreamFailure ? error.situation : 'other';
      }
      return 'answered';
    };
    for (let turn = 0; turn < 9; turn++) assert.equal(await situationOf(ends(one, 'deadline')), 'deadline');
    assert.equal(await situationOf(breakers.run(call(three), async () => 'an answer')), 'answered');
    for (const by of [one, two, one, two]) await situationOf(ends(by, 'deadline'));
    assert.equal(await situationOf(breakers.run(call(three), async () => 'an answer')), 'breaker_open');
  });

  it('of an outage opens for everyone, anyone who met it', async () => {
    const breakers = new Breakers({ failures: 2, restMs: 60_000 });
    const about = rowId('account', randomUUID());
    const call = { provider: 'au_banking', institution: 'bank', owner: null, about } as const;
    for (let turn = 0; turn < 2; turn++) {
      const failing = breakers.run(call, () =>
        Promise.reject(new UpstreamFailure('server_error', 'It failed.')),
      );
      await assert.rejects(failing, UpstreamFailure);
    }
    const other = { ...call, about: rowId('account', randomUUID()) };
    await assert.rejects(
      breakers.run(other, async () => 'an answer'),
      { situation: 'breaker_open' },
    );
  });

  it('does not open for what a caller did, or for a limit', async () => {
    const test = await openGateway({ breaker: { failures: 2, restMs: 60_000 } });
    try {
      const [account] = await test.link('sole-trader');
      assert.ok(account);
      const gone = { ...account, upstreamId: 'no-such-account' };
      for (let turn = 0; turn < 4; turn++) {
        await code(test.gateway.accounts.balance(gone, {}, never), 'account_unavailable');
        test.bank.simulator.control.addFault({ route: BALANCES, kind: 'rate-limit' });
        await code(test.gateway.accounts.balance(account, {}, never), 'upstream_rate_limited');
      }
      await test.gateway.accounts.balance(account, {}, never);
    } finally {
      await test.close();
    }
  });
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS } from '../../../src/vocabulary/limits.ts';
import { eventually, withPatience } from '../../support/patience.ts';
import { EVER, never, openGateway } from './open-gateway.ts';
import { code } from './service-code.ts';

const BALANCES = 'GET /v1/banking/balances';
const SESSIONS = 'POST /v1/auth/session';

describe('The calls of a provider, shared out by account record', () => {
  it('let a burst wait its turn, and turn away what does not fit, to come back shortly [limit provider_calls]', async () => {
    const test = await openGateway({ limits: { provider_calls: 1, provider_calls_waiting: 4 } });
    try {
      const owner = rowId('account_record', randomUUID());
      const accounts = [
        ...(await test.link('salaried-household', { owner })),
        ...(await test.link('salaried-household', { owner })),
      ];
      const reads = accounts.slice(0, 4).map((account) => test.gateway.accounts.balance(account, {}, never));
      const settled = await Promise.allSettled(reads);
      assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 3);
      const refused = reads[settled.findIndex(({ status }) => status === 'rejected')];
      assert.ok(refused);
      const error = await code(refused, 'provider_wait');
      assert.deepEqual([error.status, error.retryAfterSeconds], [503, 5]);
    } finally {
      await test.close();
    }
  });

  it('leave room for the others while a slow bank is flooded by one [limit provider_calls_waiting]', async () => {
    const test = await openGateway();
    try {
      const [mine] = await test.link('sole-trader');
      const [theirs] = await test.link('salaried-household');
      assert.ok(mine !== undefined && theirs !== undefined);
      const { control } = test.bank.simulator;
      for (const route of [BALANCES, SESSIONS]) control.addFault({ route, kind: 'hang', count: 10_000 });
      const leaving = new AbortController();
      const link = {
        customer: mine.grant.customer,
        secret: mine.grant.secret,
        institution: null,
        redirectUri: 'https://app.example/connect/return',
        state: 's1',
        verifier: 'v'.repeat(43),
        renew: null,
      };
      const integration = { provider: 'au_banking', owner: mine.connection.owner } as const;
      const flood = Promise.allSettled(
        Array.from({ length: 400 }, (_, index) =>
          index % 2 === 0
            ? test.gateway.beginLink(integration, link, leaving.signal)
            : test.gateway.accounts.balance(
                { ...mine, id: rowId('account', randomUUID()) },
                {},
                leaving.signal,
              ),
        ),
      );
      await wait(100);
      // Of the other one, eight reads at once: no bank holds these up, and none is asked to wait.
      const rows = await Promise.all(
        Array.from({ length: 8 }, () =>
          test.gateway.transactions.list({ ...theirs, id: rowId('account', randomUUID()) }, EVER, never),
        ),
      );
      assert.ok(rows.every(({ value }) => value.rows.length > 0));
      leaving.abort(new Error('the flood is over'));
      const outcomes = await flood;
      const told = outcomes.filter(
        (one) => one.status === 'rejected' && one.reason !== leaving.signal.reason,
      );
      assert.equal(told.length, 400 - 24 - 128, 'what fits neither its share of calls nor that of waiting');
    } finally {
      await test.close();
    }
  });

  it('leave room for the other banks while one hangs for everyone', { timeout: 600_000 }, async () => {
    const test = await openGateway();
    try {
      const [slow] = await test.link('sole-trader', { institution: '90001' });
      const [healthy] = await test.link('salaried-household');
      assert.ok(slow !== undefined && healthy !== undefined);
      const { control } = test.bank.simulator;
      const route = `${BALANCES}?*end_user_id=${slow.grant.customer}*`;
      control.addFault({ route, kind: 'hang', count: 10_000 });
      const leaving = new AbortController();
      const greedy = slow.connection.owner;
      const readBy = (account: typeof slow, owner = rowId('account_record', randomUUID())) => ({
        ...account,
        id: rowId('account', randomUUID()),
        connection: { ...account.connection, owner },
      });
      let ended = 0;
      // Twice what the provider is asked at once, half of it for one account record.
      const hanging = Array.from({ length: 2 * DEFAULT_LIMITS.provider_calls }, (_, at) => {
        const account = at % 2 === 0 ? readBy(slow, greedy) : readBy(slow);
        return test.gateway.accounts.balance(account, {}, leaving.signal).finally(() => {
          ended += 1;
        });
      });
      const settled = Promise.allSettled(hanging);
      for (let count = 0; count < 40; count++)
        assert.equal((await test.gateway.accounts.balance(readBy(healthy), {}, never)).cache, 'MISS');
      // Anyone who has both banks reads the healthy one, too.
      await test.gateway.accounts.balance(readBy(healthy, greedy), {}, never);
      assert.equal(ended, 0);
      leaving.abort(new Error('enough'));
      await settled;
    } finally {
      await test.close();
    }
  });

  it('turn a call away that has waited for half the deadline of a read, and blame no bank for it', async () => {
    await withPatience([500, 10_000], async (latencyMs) => {
      const test = await openGateway({
        limits: { provider_calls: 1, provider_calls_waiting: 100, read_deadline_ms: 30_000 },
        breaker: { failures: 1, restMs: 60_000 },
      });
      try {
        const [account] = await test.link('sole-trader');
        assert.ok(account);
        test.bank.simulator.control.addFault({ route: BALANCES, kind: 'latency', latencyMs });
        const first = test.gateway.accounts.balance(account, {}, never);
        await eventually(() => test.clock.sleeping > 0);
        const second = code(test.gateway.accounts.details(account, never), 'provider_wait');
        await eventually(() => test.clock.sleeping > 1);
        test.clock.advance(15_000);
        await second;
        await first;
        await test.gateway.accounts.details(account, never);
      } finally {
        await test.close();
      }
    });
  });
});

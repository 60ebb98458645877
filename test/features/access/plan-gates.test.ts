import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiKeyAuthenticator } from '../../../src/features/access/api-key-authenticator.ts';
import { Authentication } from '../../../src/features/access/authentication.ts';
import { requireGate, requireRoom } from '../../../src/features/access/plan-gates.ts';
import { Notices } from '../../../src/storage/notices.ts';
import { PLAN_NAMES, type Plan, type PlanGateName } from '../../../src/vocabulary/plans.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { ACCOUNT_RECORD_STATUSES, type AccountRecordStatus } from '../../../src/vocabulary/states.ts';
import { startService, type TestOwner, type TestService } from '../../support/service.ts';
import type { Answer } from '../../support/v2-client.ts';
import { linkBank, RETURN_URL } from '../linking/person.ts';

let service: TestService;

before(async () => {
  service = await startService();
});
after(() => service.close());

const TRIALS = ['none', 'running', 'over'] as const;
interface Case {
  readonly plan: Plan;
  readonly status: AccountRecordStatus;
  readonly trial: (typeof TRIALS)[number];
}
const CASES: readonly Case[] = PLAN_NAMES.flatMap((plan) =>
  ACCOUNT_RECORD_STATUSES.flatMap((status) => TRIALS.map((trial) => ({ plan, status, trial }))),
);

/** docs/plans.md, written a second time in another form than the table has. */
const subscribed = ({ status }: Case) => status !== 'canceled' && status !== 'trialing';
const OPEN: Readonly<Record<PlanGateName, (one: Case) => boolean>> = {
  api_access: (one) => one.trial === 'running' || (one.status !== 'trialing' && one.plan !== 'saver'),
  brokerage_data: (one) => one.trial === 'running' || (subscribed(one) && one.plan === 'professional'),
  link_session: (one) => one.trial === 'running' || subscribed(one),
  brokerage_link: (one) => one.trial === 'running' || (subscribed(one) && one.plan === 'professional'),
  connection_slot: () => true,
  sync_slot: () => true,
};
const CODES: Readonly<Record<PlanGateName, string>> = {
  api_access: 'plan_upgrade_required',
  brokerage_data: 'professional_required',
  link_session: 'subscription_required',
  brokerage_link: 'professional_required',
  connection_slot: 'connection_limit',
  sync_slot: 'sync_limit_reached',
};
const ends = ({ trial }: Case): Date | null =>
  trial === 'none' ? null : new Date(Date.now() + (trial === 'running' ? 3_600_000 : -1));

function refusal(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.status, 403);
    return error.code;
  }
}

describe('every gate, for every plan, status and trial', () => {
  test('opens where docs/plans.md says so, and answers its own code elsewhere', () => {
    for (const one of CASES) {
      const record = { plan: one.plan, status: one.status, trial_ends_at: ends(one), limits: null };
      for (const gate of ['api_access', 'brokerage_data', 'link_session', 'brokerage_link'] as const) {
        const expected = OPEN[gate](one) ? null : CODES[gate];
        assert.equal(
          refusal(() => requireGate(gate, record, Date.now())),
          expected,
          JSON.stringify([gate, one]),
        );
      }
    }
  });

  test('lets in as many as the plan has places, or the trial, or the operator says', () => {
    const places = { saver: 3, developer: 10, professional: -1 } as const;
    for (const one of CASES) {
      for (const gate of ['connection_slot', 'sync_slot'] as const) {
        const own = { connections: 1, accounts: 1, syncs: 1, destinations: 1 };
        for (const limits of [null, own]) {
          const record = { plan: one.plan, status: one.status, trial_ends_at: ends(one), limits };
          const most = limits === null ? (one.trial === 'running' ? 3 : places[one.plan]) : 1;
          const ask = (taken: number) => refusal(() => requireRoom(gate, record, Date.now(), taken));
          if (most === -1) assert.equal(ask(100_000), null);
          else assert.deepEqual([ask(most - 1), ask(most)], [null, CODES[gate]], JSON.stringify([gate, one]));
        }
      }
    }
  });

  test('is asked over HTTP, API access before everything and brokerage before the parameters', async () => {
    const owner = await service.owner();
    const institution = 'inst_fk_90001';
    const create = () =>
      owner.v2('POST', '/v2/link_sessions', { provider: 'au_banking', institution, return_url: RETURN_URL });
    for (const one of CASES) {
      await service.app.services.accountRecords.update(owner.record.id, {
        plan: one.plan,
        status: one.status,
        trial_ends_at: ends(one),
      });
      const shown = JSON.stringify(one);
      const me = await owner.v2('GET', '/v2/me');
      if (!OPEN.api_access(one)) {
        assert.deepEqual(code(me), [403, 'plan_upgrade_required'], shown);
        assert.deepEqual(code(await owner.v2('GET', '/v2/holdings')), [403, 'plan_upgrade_required'], shown);
        continue;
      }
      assert.equal(me.status, 200, shown);
      assert.deepEqual(
        me.body.entitlements,
        { api_access: true, brokerage: OPEN.brokerage_data(one) },
        shown,
      );
      const refused = OPEN.brokerage_data(one) ? [400, 'parameter_missing'] : [403, 'professional_required'];
      assert.deepEqual(code(await owner.v2('GET', '/v2/holdings')), refused, shown);
      assert.deepEqual(code(await owner.v2('GET', '/v2/trades')), refused, shown);
      const linking = OPEN.link_session(one) ? [200, undefined] : [403, 'subscription_required'];
      assert.deepEqual(code(await create()), linking, shown);
    }
  });
});

describe('a change of the plan', () => {
  test('counts at once in a process that remembers the caller', async () => {
    const owner = await service.owner();
    const notices = new Notices(service.app.database);
    await notices.start();
    const elsewhere = new Authentication({
      authenticators: [
        new ApiKeyAuthenticator({ db: service.app.database.db, clock: service.app.clock, notices }),
      ],
      attempts: service.app.rateLimits.attempts,
    });
    const planThere = async () =>
      (await elsewhere.authenticate({ authorization: `Bearer ${owner.key}` }, '127.0.0.1')).accountRecord
        .plan;
    assert.equal(await planThere(), 'professional');
    await service.app.services.accountRecords.update(owner.record.id, { plan: 'saver' });
    while ((await planThere()) !== 'saver') await new Promise((resolve) => setTimeout(resolve, 5));
    await notices.stop();
  });
});

describe('the last place', () => {
  const limits = { connections: 1, accounts: -1, syncs: 1, destinations: -1 };
  let owner: TestOwner;
  let account: string;

  before(async () => {
    owner = await service.owner();
    await service.app.services.accountRecords.update(owner.record.id, { limits });
    const connection = await linkBank(owner);
    account = (await owner.v2('GET', `/v2/accounts?connection=${connection}`)).body.data[0].id;
  });

  test('for a sync is given once, however many ask at the same time', async () => {
    const destinations = await Promise.all(
      [1, 2, 3, 4].map((at) =>
        owner.v2('POST', '/v2/destinations', {
          type: 'webhook',
          name: 'books',
          target: { url: `http://127.0.0.1:9/gates/${at}` },
        }),
      ),
    );
    const answers = await Promise.all(
      destinations.map(({ body }) =>
        owner.v2('POST', '/v2/syncs', {
          type: 'transactions',
          name: 'books',
          destination: body.id,
          accounts: [account],
          mapping_mode: 'bulk',
          run_now: false,
        }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    assert.deepEqual(refused.map(code), Array(3).fill([403, 'sync_limit_reached']));
  });

  test('for a connection is not needed by a reauthorisation', async () => {
    const [{ id }] = (await owner.v2('GET', '/v2/connections')).body.data;
    const fresh = await owner.v2('POST', '/v2/link_sessions', {
      provider: 'au_banking',
      institution: 'inst_fk_90001',
      return_url: RETURN_URL,
    });
    assert.deepEqual(code(fresh), [403, 'connection_limit']);
    const renewal = await owner.v2('POST', `/v2/connections/${id}/reauthorize`, { return_url: RETURN_URL });
    assert.equal(renewal.status, 200, JSON.stringify(renewal.body));
  });
});

function code({ status, body }: Answer): [number, string | undefined] {
  return [status, body.error?.code];
}

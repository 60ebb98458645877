import assert from 'node:assert/strict';
import { issuePageToken } from '../../src/operations/paging.ts';
import type { Answer } from '../support/v2-client.ts';
import { send, unknownId } from './asks.ts';
import { BANK_CODES, idsOf } from './bank-faults.ts';
import { BROKER_CODES } from './broker-faults.ts';
import { askAbout } from './inputs.ts';
import type { Provocations, Provoke, Scene } from './provocation.ts';
import { okay } from './things.ts';

const brokerageAccount: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.brokerage();
  return send(owner, askAbout(operation, await idsOf(owner, things)));
};

const brokerageAccountWith =
  (more: string): Provoke =>
  async ({ stage, things }, operation) => {
    const owner = await stage.brokerage();
    const ask = askAbout(operation, await idsOf(owner, things));
    return send(owner, { ...ask, query: `${ask.query}&${more}` });
  };

const withQuery =
  (more: string): Provoke =>
  ({ things }, operation) => {
    const ask = askAbout(operation, things.ids);
    return send(things.owner, { ...ask, query: `${ask.query}&${more}` });
  };

const withBody =
  (more: object): Provoke =>
  ({ things }, operation) =>
    send(things.owner, {
      ...askAbout(operation, things.ids),
      body: { account: things.owner.account, ...more },
    });

/** A busy machine may not send the second in time while the first holds the slot. */
const SLOW_MS = [500, 4_000];

/** A read at a slow provider holds the only slot while the operation requests another. */
async function whileSlow(
  control: Scene['stage']['bank'] | Scene['stage']['broker'],
  route: string,
  read: () => Promise<Answer>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (const latencyMs of SLOW_MS) {
    control.addFault({ route, kind: 'latency', latencyMs });
    const slow = read();
    await until(() => control.faults().length === 0);
    const answer = await ask();
    okay(await slow);
    if (answer.status >= 400) return answer;
  }
  return assert.fail('there was a place for both');
}

export const crowded: Provoke = ({ stage, things }, operation) =>
  whileSlow(
    stage.bank,
    'GET /v1/banking/*',
    () => things.owner.v2('GET', `/v2/transactions?account=${things.owner.account}`),
    () => send(things.owner, askAbout(operation, things.ids)),
  );

function farBack(): string {
  return new Date(Date.now() - 6 * 365 * 86_400_000).toISOString().slice(0, 10);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const windows: Provocations = {
  wrong_endpoint_for_category: brokerageAccount,
  invalid_date_range: withQuery('from=2026-06-02&to=2026-06-01'),
  from_too_old: withQuery('from=2001-01-01'),
};

const balanceTooSoon: Provoke = async ({ stage }, operation) => {
  const owner = await stage.uncached();
  const ask = askAbout(operation, () => owner.account);
  okay(await send(owner, ask));
  return send(owner, ask);
};

/** More rows than one search reads. */
const crowdedWindow: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.busy();
  const ask = askAbout(operation, await idsOf(owner, things));
  return send(owner, { ...ask, query: `${ask.query}&from=${farBack()}` });
};

const bankingAccount: Provoke = ({ things }, operation) =>
  send(things.owner, askAbout(operation, things.ids));

const onDeveloperPlan: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.service.owner();
  await stage.service.app.services.accountRecords.update(owner.record.id, { plan: 'developer' });
  return send(owner, askAbout(operation, things.ids));
};

/** No list has a second page yet, so the token is one that a first page would have returned. */
const otherAccount: Provoke = ({ stage, things }, operation) => {
  const { pageSealer } = stage.service.app.services;
  const { record, v2, accounts } = things.owner;
  const token = { filters: { account: accounts[0] ?? '' }, position: ['A', 'a'], direction: 'next' } as const;
  const page = issuePageToken(pageSealer, record.id, operation.id, token);
  return v2('GET', `${operation.path}?account=${accounts[1]}&page=${page}`);
};

const crowdedBroker: Provoke = async ({ stage, things }, operation) => {
  const owner = await stage.brokerage();
  const asked = askAbout(operation, await idsOf(owner, things));
  return whileSlow(
    stage.broker,
    'GET /accounts/*',
    () => owner.v2('GET', `/v2/holdings?account=${owner.account}`),
    () => send(owner, asked),
  );
};

const brokerage: Provocations = {
  ...BROKER_CODES,
  page_filters_changed: otherAccount,
  wrong_endpoint_for_category: bankingAccount,
  professional_required: onDeveloperPlan,
  too_many_concurrent_requests: crowdedBroker,
};

export const DATA_CODES: Readonly<Record<string, Provocations>> = {
  get_account_balance: {
    ...BANK_CODES,
    wrong_endpoint_for_category: brokerageAccount,
    balance_refresh_limited: balanceTooSoon,
  },
  list_balances: { wrong_endpoint_for_category: brokerageAccount },
  get_account_details: { ...BANK_CODES, wrong_endpoint_for_category: brokerageAccount },
  export_transactions: { ...BANK_CODES, ...windows, too_many_concurrent_requests: crowded },
  export_sync: {
    ...BANK_CODES,
    invalid_date_range: withQuery('from=2026-06-02&to=2026-06-01'),
    from_too_old: withQuery('from=2001-01-01'),
    too_many_concurrent_requests: crowded,
  },
  list_transactions: { ...BANK_CODES, ...windows, too_many_concurrent_requests: crowded },
  list_changes: {
    ...BANK_CODES,
    wrong_endpoint_for_category: brokerageAccount,
    from_too_old: withQuery('days=30000'),
    too_many_concurrent_requests: crowded,
    cursor_invalid: withQuery('cursor=made-up'),
    cursor_expired: async ({ stage, things }, operation) => {
      const ask = askAbout(operation, things.ids);
      const { body } = okay(await send(things.owner, ask));
      const { db } = stage.service.app.database;
      await db.deleteFrom('change_snapshots').where('account_record', '=', things.owner.record.id).execute();
      return send(things.owner, { ...ask, query: `${ask.query}&cursor=${body.next_cursor}` });
    },
  },
  get_transaction: {
    ...BANK_CODES,
    ...windows,
    too_many_concurrent_requests: crowded,
    transaction_not_found: ({ things }, operation) =>
      send(
        things.owner,
        askAbout(operation, (thing) => (thing === 'transaction' ? unknownId(thing) : things.ids(thing))),
      ),
    transaction_search_incomplete: crowdedWindow,
  },
  list_holdings: brokerage,
  list_trades: {
    ...brokerage,
    invalid_date_range: brokerageAccountWith('from=2026-06-02&to=2026-06-01'),
    from_too_old: brokerageAccountWith('from=2001-01-01'),
  },
  preview_ruleset: {
    ...BANK_CODES,
    wrong_endpoint_for_category: brokerageAccount,
    too_many_concurrent_requests: crowded,
    invalid_date_range: withBody({ from: '2026-06-02', to: '2026-06-01' }),
    from_too_old: withBody({ from: '2001-01-01' }),
  },
};

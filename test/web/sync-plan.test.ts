import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '#client';
import { DESTINATION_TYPES } from '../../src/vocabulary/destination-kinds.ts';
import { SYNC_FIELDS } from '../../src/vocabulary/row-fields.ts';
import { MAPPING_MODES, SYNC_TYPES } from '../../src/vocabulary/syncs.ts';
import { movedColumn, standardColumns, toggledColumn } from '../../web/src/syncs/fields/column-choice.ts';
import { nextTime, scheduleWords, timesProblem } from '../../web/src/syncs/fields/schedule-words.ts';
import {
  bodyOf,
  EMPTY_PLAN,
  lackOf,
  type Plan,
  reachableStep,
  stepOfProblem,
  stepsOf,
  withDestination,
  withType,
} from '../../web/src/syncs/new/plan.ts';
import { readPlan } from '../../web/src/syncs/new/stored-plan.ts';
import { SYNC_STEPS } from '../../web/src/syncs/search.ts';

const text = fc.string({ maxLength: 12 });
const plans: fc.Arbitrary<Plan> = fc.record({
  type: fc.constantFrom(...SYNC_TYPES),
  name: fc.option(text),
  accounts: fc.uniqueArray(text, { maxLength: 4 }),
  destination: fc.option(text),
  mode: fc.constantFrom(...MAPPING_MODES),
  accountMappings: fc.array(fc.record({ account: text, sheet_id: text, sheet_name: text }), { maxLength: 3 }),
  categoryMappings: fc.array(
    fc.record({
      provider_category: text,
      destination_category: text,
      destination_category_name: fc.option(text),
    }),
    { maxLength: 3 },
  ),
  columns: fc.option(fc.array(text, { maxLength: 4 })),
  ruleset: fc.option(text),
  dataFrom: fc.option(text),
  flags: fc.record({
    include_pending: fc.boolean(),
    mask_account_numbers: fc.boolean(),
    custom_categories: fc.boolean(),
    include_balances_tab: fc.boolean(),
  }),
  schedule: fc.option(
    fc.oneof(
      fc.record({ interval_minutes: fc.integer({ min: 1, max: 10_080 }) }),
      fc.record({ times: fc.array(text, { maxLength: 3 }), timezone: text }),
    ),
  ),
  saved: fc.option(text),
  savedFrom: fc.option(text),
});

test('a plan that is stored in the tab is read again as it was', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const stored = JSON.stringify(plan);
      assert.deepEqual(readPlan(stored), JSON.parse(stored));
    }),
  );
});

test('whatever is stored in the tab, there is a plan to go on with', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), fc.constant(null)), (stored) => {
      const plan = readPlan(stored);
      assert.ok(SYNC_TYPES.includes(plan.type));
      assert.ok(plan.accounts.every((one) => typeof one === 'string'));
    }),
  );
});

test('no address leads to a step before which something is still missing', () => {
  fc.assert(
    fc.property(
      plans,
      fc.constantFrom(...SYNC_STEPS),
      fc.option(fc.constantFrom(...DESTINATION_TYPES)),
      (plan, asked, destination) => {
        const steps = stepsOf(plan, destination);
        const step = reachableStep(asked, plan, destination);
        assert.ok(steps.includes(step));
        for (const before of steps.slice(0, steps.indexOf(step))) {
          assert.equal(lackOf(before, plan, destination), null);
        }
      },
    ),
  );
});

test('a budgeting app asks for a place for every account, a spreadsheet for none, a webhook has no such step', () => {
  const plan = { ...EMPTY_PLAN, accounts: ['acct_1', 'acct_2'], destination: 'dest_1' };
  const mapped = { ...plan, accountMappings: [{ account: 'acct_1', destination_account: 'one' }] };
  assert.equal(lackOf('places', mapped, 'ynab'), 'places');
  assert.equal(lackOf('places', plan, 'sheets'), null);
  assert.ok(!stepsOf(plan, 'webhook').includes('places'));
  assert.ok(!stepsOf({ ...plan, type: 'trades' }, 'sheets').includes('places'));
});

test('another destination leaves nothing of the places in the one before, another type nothing of its accounts', () => {
  const plan = {
    ...EMPTY_PLAN,
    accounts: ['acct_1'],
    destination: 'dest_1',
    accountMappings: [{ account: 'acct_1', sheet_id: '1', sheet_name: 'One' }],
    columns: ['date'],
  };
  assert.deepEqual(withDestination(plan, 'dest_1', 'sheets'), plan);
  const budget = withDestination(plan, 'dest_2', 'ynab');
  assert.deepEqual([budget.accountMappings, budget.columns, budget.mode], [[], null, 'per_account']);
  const trades = withType(plan, 'trades');
  assert.deepEqual([trades.accounts, trades.destination, trades.columns], [[], null, null]);
});

test('what v2 is asked for has mappings only where they are taken, and only of accounts that are chosen', () => {
  const plan: Plan = {
    ...EMPTY_PLAN,
    accounts: ['acct_1'],
    destination: 'dest_1',
    accountMappings: [
      { account: 'acct_2', sheet_id: '2', sheet_name: 'Two' },
      { account: 'acct_1', sheet_id: '1', sheet_name: 'One' },
    ],
  };
  assert.equal(bodyOf(plan, 'sheets', 'Name').account_mappings, undefined);
  assert.equal(bodyOf(plan, 'webhook', 'Name').account_mappings, undefined);
  assert.deepEqual(bodyOf({ ...plan, mode: 'per_account' }, 'sheets', 'Name').account_mappings, [
    { account: 'acct_1', sheet_id: '1', sheet_name: 'One' },
  ]);
  assert.equal(bodyOf({ ...plan, mode: 'per_account' }, 'webhook', 'Name').mapping_mode, 'bulk');
});

test('what v2 refuses is shown at the step where it can be mended', () => {
  const refused = (code: ApiError['code'], param: string | null, status = 400) =>
    stepOfProblem(
      new ApiError('', {
        status,
        type: null,
        code,
        param,
        docUrl: null,
        requestId: null,
        retryAfterMs: null,
      }),
    );
  assert.equal(refused('mapping_required', 'account_mappings'), 'places');
  assert.equal(refused('parameter_invalid', 'account_mappings[1].sheet_id'), 'places');
  assert.equal(refused('parameter_invalid', 'accounts'), 'accounts');
  assert.equal(refused('destination_in_use', 'destination', 409), 'destination');
  assert.equal(refused('parameter_invalid', 'columns[0]'), 'rows');
  assert.equal(refused('parameter_invalid', 'options.data_from'), 'rows');
  assert.equal(refused('resource_missing', 'rulesets[0]', 404), 'rows');
  assert.equal(refused('parameter_invalid', 'schedule.times'), 'schedule');
  assert.equal(refused('professional_required', null, 403), 'data');
  assert.equal(refused('sync_limit_reached', null, 403), null);
  assert.equal(refused('sync_create_failed', null, 500), null);
});

test('a schedule is put into words', () => {
  assert.equal(scheduleWords({ interval_minutes: 360 }), 'Every 6 hours');
  assert.equal(scheduleWords({ interval_minutes: 1440 }), 'Every day');
  assert.equal(scheduleWords({ interval_minutes: 4320 }), 'Every 3 days');
  assert.equal(scheduleWords({ interval_minutes: 10_080 }), 'Every week');
  assert.equal(scheduleWords({ interval_minutes: 45 }), 'Every 45 minutes');
  assert.equal(
    scheduleWords({ times: ['08:00', '18:30'], timezone: 'Pacific/Auckland' }),
    'Daily at 08:00, 18:30 (Pacific/Auckland)',
  );
});

test('a time that is added is in the longest stretch without one, so that six hours apart stays possible', () => {
  assert.equal(nextTime([]), '08:00');
  assert.equal(nextTime(['08:00']), '20:00');
  assert.equal(nextTime(['08:00', '20:00']), '14:00');
  assert.equal(timesProblem(['08:00', '20:00']), null);
  assert.notEqual(timesProblem(['08:00', '08:00']), null);
  assert.notEqual(timesProblem(['8:00']), null);
});

test('columns are moved and chosen without one being lost or doubled', () => {
  const all = Object.keys(SYNC_FIELDS.transactions);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...all), fc.constantFrom<-1 | 0 | 1>(-1, 0, 1)), { maxLength: 30 }),
      (steps) => {
        let columns = standardColumns('transactions');
        for (const [name, by] of steps) {
          const before = new Set(columns);
          columns = by === 0 ? toggledColumn(columns, name) : movedColumn(columns, name, by);
          assert.equal(new Set(columns).size, columns.length);
          if (by !== 0) assert.deepEqual(new Set(columns), before);
        }
      },
    ),
  );
});

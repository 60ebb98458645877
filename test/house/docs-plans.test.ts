import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  PLAN_GATE_NAMES,
  PLAN_GATES,
  PLAN_LIMIT_NAMES,
  PLAN_NAMES,
  PLANS,
  TRIAL_LIMITS,
} from '../../src/vocabulary/plans.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../src/vocabulary/states.ts';
import { cell, plain, tableRows } from './markdown.ts';
import { readText } from './tree.ts';

const page = readText('docs/plans.md');
const listed = (names: readonly string[], all: readonly string[]) =>
  names.length === all.length ? 'any' : names.join(', ');

test('docs/plans.md has the gates there are, with what opens them, what they answer and who asks', () => {
  const documented = tableRows(page, 'Gates').map((row) => [
    plain(cell(row, 'Gate')),
    ['Plans', 'Statuses', 'Trial', 'Free place', 'Otherwise', 'Asked'].map((name) =>
      cell(row, name).replaceAll('`', ''),
    ),
  ]);
  const known = PLAN_GATE_NAMES.map((name) => {
    const { plans, statuses, trial, room, code, asked } = PLAN_GATES[name];
    const opened = [listed(plans, PLAN_NAMES), listed(statuses, ACCOUNT_RECORD_STATUSES)];
    return [name, [...opened, trial ? 'yes' : 'no', room ?? 'none', `[${code}](errors.md#${code})`, asked]];
  });
  assert.deepEqual(documented, known);
});

test('docs/plans.md has the amounts of every plan and of a trial', () => {
  const documented = tableRows(page, 'Amounts').map((row) => [
    plain(cell(row, 'Plan')),
    PLAN_LIMIT_NAMES.map((name) => Number(cell(row, `${name.charAt(0).toUpperCase()}${name.slice(1)}`))),
  ]);
  const amounts = (limits: typeof TRIAL_LIMITS) => PLAN_LIMIT_NAMES.map((name) => limits[name]);
  const known = PLAN_NAMES.map((name) => [name, amounts(PLANS[name].limits)]);
  assert.deepEqual(documented, [...known, ['a trial', amounts(TRIAL_LIMITS)]]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Category } from '#client';
import { CATEGORY_TEMPLATE, claimsOf } from '../../src/vocabulary/category-template.ts';
import { PROVIDER_CATEGORIES } from '../../src/vocabulary/provider-categories.ts';
import {
  familiesOf,
  holdersOf,
  matching,
  takenBy,
  withoutCategory,
} from '../../web/src/rules/categories/claims.ts';

const codes = PROVIDER_CATEGORIES.map(({ code, label, parent }) => ({
  object: 'provider_category' as const,
  code,
  label,
  parent,
  livemode: true as const,
}));

function category(name: string, sources: readonly string[]): Category {
  return {
    id: `cat_${name}`,
    object: 'category',
    name,
    parent: 'cat_group',
    icon: 'x',
    color: '#000000',
    position: 0,
    archived: false,
    sources: [...sources],
    category_count: 0,
    metadata: {},
    livemode: true,
    created: '2026-01-01T00:00:00Z',
    updated: '2026-01-01T00:00:00Z',
  };
}

test('every code is listed once, below its primary, whatever is searched for', () => {
  const families = familiesOf(codes);
  assert.equal(families.length, 16);
  assert.equal(families.flatMap(({ primary, members }) => [primary, ...members]).length, codes.length);
  const food = matching(families, 'food & drink');
  assert.deepEqual(
    food.map(({ primary, members }) => [primary.code, members.length]),
    [['FOOD_AND_DRINK', 6]],
  );
  assert.deepEqual(
    matching(families, ' coffee ').map(({ members }) => members.map(({ code }) => code)),
    [['FOOD_AND_DRINK_COFFEE']],
  );
  assert.deepEqual(matching(families, 'no such code'), []);
});

test('a code is in no category only where neither it nor its primary is claimed', () => {
  const template = CATEGORY_TEMPLATE.flatMap(({ categories }) =>
    categories.map((one) => category(one.name, claimsOf(one))),
  );
  assert.deepEqual(withoutCategory(codes, holdersOf(template)), []);
  const travel = template.filter(({ sources }) => !sources.includes('TRAVEL'));
  travel.push(category('Flights', ['TRAVEL_FLIGHTS']));
  assert.deepEqual(
    withoutCategory(codes, holdersOf(travel)).map(({ code }) => code),
    ['TRAVEL', 'TRAVEL_LODGING', 'TRAVEL_RENTAL_CARS', 'TRAVEL_OTHER'],
  );
});

test('what a claim takes is said by the category that loses it, and its own codes are not taken', () => {
  const all = [category('a', ['TRAVEL']), category('b', ['INCOME', 'MEDICAL']), category('c', [])];
  const taken = takenBy('cat_a', new Set(['TRAVEL', 'MEDICAL']), all);
  assert.deepEqual(
    taken.map(({ from, codes: lost }) => [from.name, lost]),
    [['b', ['MEDICAL']]],
  );
});

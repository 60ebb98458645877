import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Account, Category, ProviderCategory } from '#client';
import { ACCOUNT_TYPES } from '../../src/vocabulary/account-types.ts';
import { PROVIDER_CATEGORIES } from '../../src/vocabulary/provider-categories.ts';
import {
  accountProposals,
  categoryProposals,
  type KnownMapping,
  type Proposal,
} from '../../web/src/syncs/fields/proposals.ts';

const STAMPS = { livemode: true, created: '2026-01-01T00:00:00Z', updated: '2026-01-01T00:00:00Z' } as const;

const account = (id: string, name: string, more: Partial<Account> = {}): Account => ({
  id,
  object: 'account_item',
  connection: 'conn_1',
  institution: { id: 'inst_1', name: 'Gumtree Mutual', logo: 'https://logos.example.test/gm.svg' },
  provider: 'au_banking',
  category: 'banking',
  type: 'transaction',
  name,
  nickname: null,
  in_totals: true,
  balance_sign: null,
  duplicate_of: null,
  status: 'available',
  account_number: null,
  currency: 'aud',
  last_updated_at: null,
  ...STAMPS,
  ...more,
});

const category = (id: string, name: string, sources: string[]): Category => ({
  id,
  object: 'category',
  name,
  parent: 'cat_group',
  icon: '·',
  color: '#495057',
  position: 0,
  archived: false,
  sources,
  category_count: 0,
  metadata: null,
  ...STAMPS,
});

const target = (name: string, id = name) => ({ id, name });
const told = (proposals: readonly Proposal[]) =>
  Object.fromEntries(proposals.map(({ of, target: { name }, reason }) => [of, `${name}: ${reason.by}`]));
const none = { mapped: [], earlier: [] };
const codes: ProviderCategory[] = PROVIDER_CATEGORIES.map((one) => ({
  object: 'provider_category',
  livemode: true,
  ...one,
}));

test('an account is proposed what identifies it before what it is called, and what says it is another is not proposed', () => {
  const accounts = [
    account('a', 'Everyday Account', { account_number: 'xxxx1234' }),
    account('b', 'Goal Saver', { type: 'savings' }),
    account('c', 'Low Rate Card', { type: 'credit-card' }),
    account('d', 'Travel Money', { currency: 'usd' }),
  ];
  const targets = ['Everyday', 'Joint 1234', 'Savings', 'Credit Card', 'Travel money AUD'].map((name) =>
    target(name),
  );
  assert.deepEqual(told(accountProposals({ accounts, targets, ...none })), {
    a: 'Joint 1234: number',
    b: 'Savings: type',
    c: 'Credit Card: similar_name',
  });
});

test('what another sync uses comes first, by id or by the name of the place', () => {
  const accounts = [account('a', 'Everyday'), account('b', 'Bills')];
  const earlier = [
    { of: 'a', to: 'one', toName: 'Household', sync: 'Old budget' },
    { of: 'b', to: 'elsewhere', toName: 'Joint bills', sync: 'Old budget' },
  ];
  const targets = [target('Everyday', 'two'), target('Household', 'one'), target('Joint Bills', 'three')];
  assert.deepEqual(told(accountProposals({ accounts, targets, mapped: [], earlier })), {
    a: 'Household: history',
    b: 'Joint Bills: history',
  });
});

test('where two choices are equally good, neither is proposed, nor anything worse in their place', () => {
  const twins = [account('a', 'Savings', { type: 'savings' }), account('b', 'Savings', { type: 'savings' })];
  assert.deepEqual(accountProposals({ accounts: twins, targets: [target('Savings')], ...none }), []);
  const one = [account('a', 'Savings', { type: 'savings' })];
  const targets = [target('Savings', '1'), target('Savings', '2'), target('Saver', '3')];
  assert.deepEqual(accountProposals({ accounts: one, targets, ...none }), []);
});

test('categories are proposed by the name of the code, or by the category of the person that claims it', () => {
  const targets = [
    'Bills: Rent',
    'Bills: Electricity',
    'Everyday: Groceries',
    'Everyday: Transport',
    'Fun: Dining',
  ];
  const own = [category('cat_1', 'Dining', ['FOOD_AND_DRINK_RESTAURANT'])];
  const proposals = categoryProposals({ codes, targets: targets.map((name) => target(name)), own, ...none });
  const found = told(proposals);
  assert.equal(found.FOOD_AND_DRINK_GROCERIES, 'Everyday: Groceries: same_name');
  assert.equal(found.RENT_AND_UTILITIES_RENT, 'Bills: Rent: same_name');
  assert.equal(found.FOOD_AND_DRINK_RESTAURANT, 'Fun: Dining: own_category');
  assert.equal(found.TRANSPORTATION, 'Everyday: Transport: similar_name');
  assert.equal(found.RENT_AND_UTILITIES_GAS_AND_ELECTRICITY, 'Bills: Electricity: similar_name');
  assert.equal(found.RENT_AND_UTILITIES, undefined);
  assert.equal(found.MEDICAL, undefined);
});

test('a specific code is not proposed what its general one leads to anyway', () => {
  const targets = [target('Food', 'food')];
  const mapped = [{ of: 'FOOD_AND_DRINK', to: 'food', toName: 'Food' }];
  const earlier = [{ of: 'FOOD_AND_DRINK_COFFEE', to: 'food', toName: 'Food', sync: 'Other' }];
  assert.deepEqual(categoryProposals({ codes, targets, mapped, earlier, own: [] }), []);
});

const words = [
  'Everyday',
  'Savings',
  'Saver',
  'Card',
  'Visa',
  'Joint',
  'Bills',
  'AUD',
  'USD',
  '1234',
  'Loan',
  'é',
];
const name = fc.array(fc.constantFrom(...words), { maxLength: 3 }).map((some) => some.join(' '));
const named = fc.uniqueArray(fc.record({ id: fc.nat({ max: 9 }), name }), { selector: ({ id }) => id });
const targetsOf = named.map((some) => some.map(({ id, name: of }) => target(of, `t${id}`)));
const mappings = fc.array(
  fc.record({
    of: fc.nat({ max: 9 }).map((id) => `a${id}`),
    to: fc.nat({ max: 9 }).map((id) => `t${id}`),
    toName: fc.option(name),
    sync: fc.constant('Other'),
  }),
  { maxLength: 4 },
);
const accountsOf = fc
  .tuple(named, fc.infiniteStream(fc.record({ type: fc.constantFrom(...ACCOUNT_TYPES), usd: fc.boolean() })))
  .map(([some, kinds]) =>
    some.map(({ id, name: of }) => {
      const { type, usd } = kinds.next().value ?? { type: 'other' as const, usd: false };
      return account(`a${id}`, of, { type, currency: usd ? 'usd' : 'aud', account_number: 'xxxx1234' });
    }),
  );
const asked = fc.record({ accounts: accountsOf, targets: targetsOf, mapped: mappings, earlier: mappings });
const asMapped = (proposals: readonly Proposal[]): KnownMapping[] =>
  proposals.map(({ of, target: { id, name: toName } }) => ({ of, to: id, toName }));

test('no place is proposed twice or while it is in use, and nothing for an account that has one', () => {
  fc.assert(
    fc.property(asked, (given) => {
      const proposals = accountProposals(given);
      const places = [...given.mapped.map(({ to }) => to), ...proposals.map(({ target: { id } }) => id)];
      assert.equal(new Set(proposals.map(({ of }) => of)).size, proposals.length);
      for (const { of, target: place } of proposals) {
        assert.ok(given.accounts.some(({ id }) => id === of));
        assert.ok(!given.mapped.some((one) => one.of === of || one.to === place.id));
        assert.equal(places.filter((id) => id === place.id).length, 1);
      }
    }),
  );
});

test('proposals do not depend on the order of what is given, and accepting them leaves no others', () => {
  fc.assert(
    fc.property(asked, (given) => {
      const proposals = accountProposals(given);
      const turned = {
        accounts: given.accounts.toReversed(),
        targets: given.targets.toReversed(),
        mapped: given.mapped.toReversed(),
        earlier: given.earlier.toReversed(),
      };
      assert.deepEqual(told(accountProposals(turned)), told(proposals));
      const accepted = [...given.mapped, ...asMapped(proposals)];
      assert.deepEqual(accountProposals({ ...given, mapped: accepted }), []);
    }),
  );
});

const familiar = codes.filter(({ code }) => /^(?:FOOD|RENT|TRANSPORTATION)/.test(code));
const code = fc.constantFrom(...familiar.map((one) => one.code));
const label = fc.constantFrom(
  'Food',
  'Drink',
  'Groceries',
  'Rent',
  'Utilities',
  'Water',
  'Rent & Water',
  'Transport',
  'Fuel',
);
const categoryTargets = fc
  .uniqueArray(fc.record({ id: fc.nat({ max: 9 }), label, group: fc.boolean() }), {
    selector: ({ id }) => id,
  })
  .map((some) => some.map((one) => target(one.group ? `Bills: ${one.label}` : one.label, `t${one.id}`)));
const codeMappings = fc.uniqueArray(
  fc.record({
    of: code,
    to: fc.nat({ max: 9 }).map((id) => `t${id}`),
    toName: fc.option(label),
    sync: fc.constant('Other'),
  }),
  { maxLength: 4, selector: ({ of }) => of },
);
const ownOf = fc
  .array(fc.tuple(label, code), { maxLength: 4 })
  .map((some) => some.map(([of, claimed], at) => category(`cat_${at}`, of, [claimed])));

test('each code has one proposal at most, none if it is mapped, and accepting all of them leaves no others', () => {
  const given = fc.record({
    targets: categoryTargets,
    mapped: codeMappings,
    earlier: codeMappings,
    own: ownOf,
  });
  fc.assert(
    fc.property(given, (one) => {
      const proposals = categoryProposals({ codes: familiar, ...one });
      assert.equal(new Set(proposals.map(({ of }) => of)).size, proposals.length);
      assert.ok(proposals.every(({ of }) => !one.mapped.some((known) => known.of === of)));
      const turned = {
        ...one,
        targets: one.targets.toReversed(),
        mapped: one.mapped.toReversed(),
        earlier: one.earlier.toReversed(),
      };
      assert.deepEqual(told(categoryProposals({ codes: familiar.toReversed(), ...turned })), told(proposals));
      const mapped = [...one.mapped, ...asMapped(proposals)];
      assert.deepEqual(categoryProposals({ codes: familiar, ...one, mapped }), []);
    }),
  );
});

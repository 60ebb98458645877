import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountNames, bankNames, bankNamesOf } from '../../web/src/format/account-names.ts';

const account = (id: string, name: string, digits: string | null) => ({
  id,
  name,
  account_number: digits === null ? null : `xxxx${digits}`,
});

test('accounts with the same name are told apart by their digits, and others keep their names', () => {
  const names = accountNames([
    account('a', 'Offset Account', '1315'),
    account('b', 'Offset Account', '4060'),
    account('c', 'Offset Account', null),
    account('d', 'Everyday', '1111'),
  ]);
  assert.deepEqual(
    [...names.values()],
    ['Offset Account •••• 1315', 'Offset Account •••• 4060', 'Offset Account', 'Everyday'],
  );
});

const bank = (id: string, day: string, digits: readonly string[], name = 'Gumtree Mutual') => ({
  id,
  institution: { name },
  accounts: digits.map((last) => ({ account_number: `xxxx${last}` })),
  created: `${day}T01:00:00.000Z`,
});

test('connections of one bank are told apart by digits, else by the day and by order; a single one needs nothing', () => {
  const names = bankNames([
    bank('d', '2026-03-03', ['1111', '3333', '2222']),
    bank('c', '2026-03-02', ['1315']),
    bank('b', '2026-03-01', ['1315']),
    bank('a', '2026-03-01', []),
    bank('e', '2026-03-01', ['1315'], 'Other Bank'),
  ]);
  assert.equal(names.get('b'), 'Gumtree Mutual (•••• 1315)');
  assert.equal(names.get('c'), 'Gumtree Mutual (•••• 1315, 2)');
  assert.equal(names.get('d'), 'Gumtree Mutual (•••• 1111, •••• 2222, …)');
  assert.match(names.get('a') ?? '', /^Gumtree Mutual \(.*Mar.*\)$/);
  assert.equal(names.get('e'), 'Other Bank');
  assert.equal(new Set(names.values()).size, names.size);
});

test('accounts name their connections as the connections do themselves', () => {
  const linked = [bank('b', '2026-03-01', ['1315', '4060']), bank('c', '2026-03-02', ['1315'])];
  const accounts = linked.flatMap(({ id, accounts: own, ...rest }) =>
    own.map((one) => ({ ...rest, ...one, connection: id })),
  );
  assert.deepEqual(bankNamesOf(accounts), bankNames(linked));
});

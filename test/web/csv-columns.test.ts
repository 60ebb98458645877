import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  COLUMN_ROLES,
  draftOf,
  isSigned,
  layoutOf,
  needsOf,
  roleOf,
  sameLayout,
  withRole,
} from '../../web/src/banks/csv-columns.ts';

const UNNAMED = draftOf({
  layout: null,
  guessed: null,
  layout_from: null,
  delimiter: ';',
  skip_lines: 2,
  doubts: ['columns'],
  header: [],
  rows: [],
});

describe('naming the columns of a CSV', () => {
  test('a layout is sent once a date, a description and an amount are named, and not before', () => {
    assert.deepEqual(needsOf(UNNAMED), ['date', 'description', 'amount']);
    const dated = withRole(UNNAMED, 0, 'date');
    const described = withRole(dated, 1, 'description');
    assert.equal(layoutOf(described), null);
    assert.deepEqual(needsOf(described), ['amount']);
    const whole = layoutOf(withRole(described, 3, 'debit'));
    assert.deepEqual(
      [whole?.delimiter, whole?.skip_lines, whole?.columns.date, whole?.columns.debit],
      [';', 2, 0, 3],
    );
  });

  test('a role leaves the column that had it, except that several columns can make up the description', () => {
    const first = withRole(withRole(UNNAMED, 0, 'date'), 1, 'description');
    const moved = withRole(first, 4, 'date');
    assert.deepEqual([roleOf(moved, 0), roleOf(moved, 4)], [null, 'date']);
    const both = withRole(moved, 2, 'description');
    assert.deepEqual(both.columns.description, [1, 2]);
    assert.deepEqual(withRole(both, 1, null).columns.description, [2]);
    assert.deepEqual(withRole(both, 1, 'amount').columns.description, [2]);
  });

  test('one column of amounts replaces two, and two replace one with its directions', () => {
    const two = withRole(withRole(UNNAMED, 1, 'debit'), 2, 'credit');
    assert.equal(isSigned(two), false);
    const one = withRole(two, 3, 'amount');
    assert.deepEqual([one.columns.debit, one.columns.credit, isSigned(one)], [null, null, true]);
    const directed = withRole(one, 4, 'direction');
    assert.equal(isSigned(directed), false);
    const again = withRole(directed, 1, 'debit');
    assert.deepEqual([again.columns.amount, again.columns.direction], [null, null]);
  });

  test('a column holds one thing, whatever was chosen for it before', () => {
    for (const before of COLUMN_ROLES)
      for (const after of COLUMN_ROLES) {
        const draft = withRole(withRole(UNNAMED, 5, before), 5, after);
        assert.equal(roleOf(draft, 5), after);
        assert.equal(roleOf(withRole(draft, 5, null), 5), null);
      }
  });

  test('a layout is the same in whichever order its members are', () => {
    const layout = layoutOf(withRole(withRole(withRole(UNNAMED, 0, 'date'), 1, 'description'), 2, 'amount'));
    assert.ok(layout !== null);
    const { date, ...others } = layout.columns;
    assert.ok(sameLayout(layout, { ...layout, columns: { ...others, date } }));
    assert.ok(!sameLayout(layout, { ...layout, columns: { ...others, date: 7 } }));
    assert.ok(!sameLayout(layout, null));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  PRIMARY_CATEGORIES,
  PROVIDER_CATEGORIES,
  primaryCategoryOf,
} from '../../../src/vocabulary/provider-categories.ts';

describe('Provider categories', () => {
  it('have one code each, and a parent among the sixteen primaries', () => {
    const codes = PROVIDER_CATEGORIES.map((category) => category.code);
    assert.equal(new Set(codes).size, codes.length);
    assert.equal(PRIMARY_CATEGORIES.length, 16);
    for (const { code, label, parent } of PROVIDER_CATEGORIES) {
      assert.notEqual(label, '');
      if (parent === null) continue;
      assert.ok(PRIMARY_CATEGORIES.some((primary) => primary === parent));
      assert.equal(primaryCategoryOf(code), parent);
    }
  });

  it('hold the codes seen from the provider', () => {
    for (const code of ['FOOD_AND_DRINK_GROCERIES', 'TRANSPORTATION_PUBLIC_TRANSIT', 'INCOME_SALARY']) {
      assert.ok(PROVIDER_CATEGORIES.some((category) => category.code === code));
    }
  });

  it('resolve a subcategory no one knows yet through its primary, and nothing else', () => {
    assert.equal(primaryCategoryOf('TRANSFER_IN_FROM_THE_MOON'), 'TRANSFER_IN');
    assert.equal(primaryCategoryOf('FOOD_AND_DRINK'), 'FOOD_AND_DRINK');
    for (const code of ['', 'FOOD', 'TRAVELLING', 'constructor']) assert.equal(primaryCategoryOf(code), null);
  });
});

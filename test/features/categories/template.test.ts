import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CATEGORY_TEMPLATE, claimsOf } from '../../../src/vocabulary/category-template.ts';
import {
  PRIMARY_CATEGORIES,
  PROVIDER_CATEGORIES,
  resolveCategory,
} from '../../../src/vocabulary/provider-categories.ts';
import { cell, tableRows } from '../../house/markdown.ts';
import { readText } from '../../house/tree.ts';

const CODES = PROVIDER_CATEGORIES.map(({ code }) => code);
const children = CATEGORY_TEMPLATE.flatMap(({ categories }) => categories);
const claimed = children.flatMap(claimsOf);

describe('the default template', () => {
  test('claims every primary code, no code twice, and only codes there are', () => {
    assert.deepEqual(claimed.toSorted(), [...new Set(claimed)].toSorted());
    assert.deepEqual(
      claimed.filter((code) => !CODES.includes(code)),
      [],
    );
    assert.deepEqual(
      PRIMARY_CATEGORIES.filter((primary) => !claimed.includes(primary)),
      [],
    );
  });

  test('gives every group and category a name of its own, an icon and a colour', () => {
    const names = [...CATEGORY_TEMPLATE, ...children].map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const { color, categories } of CATEGORY_TEMPLATE) {
      assert.match(color, /^#[0-9a-f]{6}$/);
      assert.ok(categories.length > 0);
    }
    for (const { name, icon } of [...CATEGORY_TEMPLATE, ...children]) assert.ok(icon.length > 0, name);
  });

  test('is the table of docs/categories.md, row for row', () => {
    const told = tableRows(readText('docs/categories.md'), 'The default template').map((row) =>
      ['Group', 'Colour', 'Category', 'Claims'].map((heading) => cell(row, heading).replaceAll('`', '')),
    );
    const used = CATEGORY_TEMPLATE.flatMap(({ icon, name, color, categories }) =>
      categories.map((one) => [`${icon} ${name}`, color, `${one.icon} ${one.name}`, one.claims]),
    );
    assert.deepEqual(told, used);
  });
});

describe('a row resolves', () => {
  const anyCode = fc.constantFrom(...CODES);
  const anyClaims = fc
    .uniqueArray(anyCode)
    .chain((codes) =>
      fc
        .array(fc.constantFrom('a', 'b', 'c'), { minLength: codes.length, maxLength: codes.length })
        .map((owners) => new Map(codes.map((code, at) => [code, owners[at] ?? 'a']))),
    );
  const primaryOf = new Map(PROVIDER_CATEGORIES.map(({ code, parent }) => [code, parent ?? code]));

  test("to who claims its code, else to who claims the code's primary, else to none", () => {
    fc.assert(
      fc.property(anyCode, anyClaims, fc.boolean(), (code, claims, told) => {
        const primary = primaryOf.get(code) ?? '';
        const row = { provider_category: code, primary_category: told ? primary : null };
        const expected = claims.get(code) ?? claims.get(primary) ?? null;
        assert.equal(resolveCategory(row, claims), expected);
      }),
    );
  });

  test('by its primary where the list does not have its code, and to none where it has no code', () => {
    const claims = new Map([['FOOD_AND_DRINK', 'food']]);
    const resolved = (provider_category: string | null, primary_category: string | null) =>
      resolveCategory({ provider_category, primary_category }, claims);
    assert.equal(resolved('FOOD_AND_DRINK_BUBBLE_TEA', null), 'food');
    assert.equal(resolved('BUBBLE_TEA', 'FOOD_AND_DRINK'), 'food');
    assert.equal(resolved(null, 'FOOD_AND_DRINK'), 'food');
    assert.equal(resolved('BUBBLE_TEA', null), null);
    assert.equal(resolved(null, null), null);
  });

  test('with the default template as soon as the bank has said anything', () => {
    const claims = new Map(children.flatMap((one) => claimsOf(one).map((code) => [code, one.name] as const)));
    for (const code of CODES) {
      assert.notEqual(
        resolveCategory({ provider_category: code, primary_category: null }, claims),
        null,
        code,
      );
    }
  });
});

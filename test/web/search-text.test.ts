import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSearch, stringifySearch } from '../../web/src/shell/search.ts';
import { transactionsSearch } from '../../web/src/transactions/search.ts';

test('what an address says stays text, as it was written', () => {
  assert.deepEqual(parseSearch('?q=2026&least=20.00&account=true'), {
    q: '2026',
    least: '20.00',
    account: 'true',
  });
  const search = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(search, (one) => {
      assert.deepEqual({ ...parseSearch(stringifySearch(one)) }, { ...one });
    }),
  );
});

test('an address from anywhere asks for nothing that a filter cannot be', () => {
  const search = {
    from: 'yesterday',
    kind: 'all',
    sort: 'up',
    least: '-1',
    most: '1e9',
    q: '',
    category: '7',
  };
  assert.deepEqual(transactionsSearch(search), { category: '7' });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '#client';
import { errorOf, refusedEntry } from '../../web/src/syncs/fields/refused-entry.ts';

const refusal = (param: string | null): ApiError =>
  new ApiError('There is no such account.', {
    status: 400,
    type: null,
    code: 'parameter_invalid',
    param,
    docUrl: null,
    requestId: null,
    retryAfterMs: null,
  });

const sent = {
  account_mappings: [
    { account: 'acct_1', destination_account: 'one' },
    { account: 'acct_2', sheet_id: '7', sheet_name: 'Two' },
  ],
  mappings: [{ provider_category: 'FOOD', destination_category: 'c', destination_category_name: 'C' }],
};

test('a refused mapping is that of the account or the category whose entry v2 names', () => {
  const message = 'There is no such account.';
  assert.deepEqual(refusedEntry(refusal('account_mappings[0].destination_account'), sent), {
    of: 'acct_1',
    to: 'one',
    message,
  });
  assert.equal(refusedEntry(refusal('account_mappings[1].sheet_id'), sent)?.to, '7');
  assert.deepEqual(refusedEntry(refusal('mappings[0].destination_category'), sent), {
    of: 'FOOD',
    to: 'c',
    message,
  });
  for (const param of [null, 'account_mappings', 'account_mappings[2].sheet_id', 'name']) {
    assert.equal(refusedEntry(refusal(param), sent), null, String(param));
  }
  assert.equal(refusedEntry(new Error('away'), sent), null);
});

test('it is shown beside its own field, and no longer once something else is chosen there', () => {
  const refused = refusedEntry(refusal('account_mappings[0].destination_account'), sent);
  assert.equal(errorOf(refused, 'acct_1', 'one'), 'There is no such account.');
  assert.equal(errorOf(refused, 'acct_1', 'other'), undefined);
  assert.equal(errorOf(refused, 'acct_2', 'one'), undefined);
  assert.equal(errorOf(null, 'acct_1', 'one'), undefined);
});

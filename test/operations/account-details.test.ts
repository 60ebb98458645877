import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { mapDetails } from '../../src/connectors/providers/au-banking/map-details.ts';
import { accountDetailsSchema, presentAccountDetails } from '../../src/operations/v2/accounts/details.ts';
import { rowId } from '../../src/vocabulary/ids.ts';

const id = rowId('account', '01234567-89ab-7cde-8f01-23456789abcd');
const conforms = Compile(accountDetailsSchema);

const shown = (currency: unknown) => {
  const loan = {
    min_instalment_amount: '100.50',
    min_instalment_currency: currency,
    max_redraw_currency: currency,
    min_redraw_currency: currency,
    original_loan_currency: currency,
  };
  const row = { fees: [{ name: 'Monthly', amount: '5.00', currency }], loan };
  return presentAccountDetails(id, mapDetails(row));
};

test('the currency of a fee and of a loan is in lower case, as everywhere in v2, beside the decimals of the bank', () => {
  const details = shown('AUD');
  assert.deepEqual([details.fees[0]?.amount, details.fees[0]?.currency], ['5.00', 'aud']);
  const { loan_details: loan } = details;
  assert.equal(loan?.min_instalment_amount, '100.50');
  const currencies = Object.entries(loan ?? {}).filter(([name]) => name.endsWith('_currency'));
  assert.deepEqual([...new Set(currencies.map(([, code]) => code))], ['aud']);
  assert.equal(currencies.length, 4);
});

test('what is no currency code is null, and the answer is as described', () => {
  for (const currency of ['Dollars', '', null, undefined, 'nzd']) {
    const details = shown(currency);
    assert.equal(details.fees[0]?.currency, currency === 'nzd' ? 'nzd' : null);
    assert.ok(conforms.Check(details), JSON.stringify(conforms.Errors(details)));
  }
});

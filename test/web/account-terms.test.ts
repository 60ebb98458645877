import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { flowByMonth } from '../../web/src/accounts/money-flow.ts';
import { amountOf, codeText, dayOf, periodOf, rateOf, tierText } from '../../web/src/accounts/terms.ts';

const NO_TIER = {
  name: null,
  unit_of_measure: null,
  minimum_value: null,
  maximum_value: null,
  rate_application_method: null,
  additional_info: null,
};

test('rates, amounts, days and periods are written for people, and what cannot be read is shown as it came', () => {
  assert.deepEqual(['0.0425', '0.061', '-0.002', 'on request', null].map(rateOf), [
    '4.25%',
    '6.10%',
    '-0.20%',
    'on request',
    null,
  ]);
  assert.deepEqual(
    [amountOf('5.00', 'aud'), amountOf('12345.678', null), amountOf('varies', 'aud'), amountOf(null, 'aud')],
    ['A$5.00', '12,345.678', 'varies', null],
  );
  assert.deepEqual(['2052-04-01', '2052-04-01T00:00:00Z', '2052-02-31', 'soon', null].map(dayOf), [
    'Apr 1, 2052',
    'Apr 1, 2052',
    '2052-02-31',
    'soon',
    null,
  ]);
  assert.deepEqual(['P1M', 'P14D', 'P2Y', 'P1D', 'P1M2D', 'whenever', null].map(periodOf), [
    'Monthly',
    'Every two weeks',
    'Every 2 years',
    'Daily',
    'P1M2D',
    'whenever',
    null,
  ]);
  assert.deepEqual(['PRINCIPAL_AND_INTEREST', 'Owner occupied', null].map(codeText), [
    'Principal and interest',
    'Owner occupied',
    null,
  ]);
});

test('a tier says from where to where it applies', () => {
  const dollars = { ...NO_TIER, unit_of_measure: 'DOLLAR' };
  assert.equal(
    tierText({ ...dollars, minimum_value: 0, maximum_value: 250_000 }, 'aud'),
    'A$0.00 to A$250,000.00',
  );
  assert.equal(tierText({ ...dollars, minimum_value: 250_000.01 }, 'aud'), 'From A$250,000.01');
  assert.equal(
    tierText({ ...NO_TIER, unit_of_measure: 'MONTH', maximum_value: 12 }, 'aud'),
    'Up to 12 month',
  );
  assert.equal(tierText({ ...NO_TIER, name: 'Everything' }, 'aud'), 'Everything');
});

test('money in less money out of the months is the sum of their movements, and no other month counts', () => {
  const day = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(([month, date]) => `2026-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`);
  const months = ['2026-03', '2026-04', '2026-05'];
  fc.assert(
    fc.property(
      fc.array(fc.record({ spentOn: day, amount: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }) })),
      (all) => {
        const flows = flowByMonth(all, months);
        assert.deepEqual([...flows.keys()], months);
        for (const [month, flow] of flows) {
          const own = all.filter((one) => one.spentOn.startsWith(month));
          assert.equal(
            flow.in - flow.out,
            own.reduce((sum, { amount }) => sum + amount, 0n),
          );
          assert.ok(flow.in >= 0n && flow.out >= 0n);
        }
      },
    ),
  );
});

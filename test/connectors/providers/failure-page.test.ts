import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { serviceErrorOf } from '../../../src/features/provider-gateway/failures.ts';
import { sourceFailure } from '../../../src/features/sync-engine/run/run-pass.ts';
import { isProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../../src/vocabulary/upstream-failures.ts';
import { cell, plain, tableRows } from '../../house/markdown.ts';
import { FAULT_ROWS, isFaultName } from './failure-rows.ts';

const PAGE = readFileSync(new URL('../../../docs/provider-failures.md', import.meta.url), 'utf8');
const FAULTS = Object.keys(FAULT_ROWS).filter(isFaultName);
const documented = new Map(
  tableRows(PAGE, 'What each fault ends as')
    .filter((row) => 'Situation' in row)
    .map((row) => [plain(cell(row, 'Fault')), row]),
);
const yes = (value: boolean): string => (value ? 'yes' : 'no');

describe('The table of faults', () => {
  it('has a line for every fault of the suite and none besides', () => {
    assert.deepEqual([...documented.keys()], FAULTS);
  });

  for (const fault of FAULTS) {
    it(`says of ${fault} how it ends, whether a sync repeats it, and what the person sees`, () => {
      const row = documented.get(fault);
      assert.ok(row);
      const said = ['Situation', 'Code', 'Retryable', 'Breaker'].map((heading) => plain(cell(row, heading)));
      const { ends } = FAULT_ROWS[fault];
      if (ends === 'answers') {
        assert.deepEqual(said, ['–', '–', '–', 'no']);
        return;
      }
      const { code, breaker } = UPSTREAM_FAILURES[ends];
      assert.deepEqual(said, [ends, code, yes(sourceFailure(code, false).retryable), yes(breaker !== false)]);
      const { message } = serviceErrorOf(new UpstreamFailure(ends, ''), 'The bank');
      assert.equal(cell(row, 'What the person sees'), message);
    });
  }

  it('names only providers and faults that there are where one differs', () => {
    for (const row of tableRows(PAGE, 'Where a provider differs')) {
      assert.ok(isProviderIdentifier(plain(cell(row, 'Provider'))));
      assert.ok(isFaultName(plain(cell(row, 'Fault'))));
    }
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { serviceErrorOf } from '../../../src/features/provider-gateway/failures.ts';
import { ERROR_CODES } from '../../../src/vocabulary/error-codes.ts';
import {
  UPSTREAM_FAILURES,
  UpstreamFailure,
  type UpstreamSituation,
} from '../../../src/vocabulary/upstream-failures.ts';

const page = readFileSync(new URL('../../../docs/provider-failures.md', import.meta.url), 'utf8');
const documented = new Map(
  [
    ...page.matchAll(
      /^\| `(\w+)` \| (.+?) \| \[`(\w+)`\]\(errors\.md#(\w+)\) \| (\d+) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \| (\S+) \|$/gm,
    ),
  ].map(([, situation = '', , ...cells]) => [situation, cells]),
);

function isSituation(text: string): text is UpstreamSituation {
  return Object.hasOwn(UPSTREAM_FAILURES, text);
}

const situations = Object.keys(UPSTREAM_FAILURES).filter(isSituation);
const COUNTED = { failed: 'yes', refused: 'refused', answered: 'no', not_made: '–' };
const yes = (value: boolean): string => (value ? 'yes' : 'no');

describe('The page of provider failures', () => {
  it('has a line for every situation and none besides', () => {
    assert.deepEqual([...documented.keys()].toSorted(), situations.toSorted());
  });

  for (const situation of situations) {
    it(`says of ${situation} what the service does`, () => {
      const row = UPSTREAM_FAILURES[situation];
      const error = serviceErrorOf(new UpstreamFailure(situation, 'It said something.'), 'Gumtree Mutual');
      const waits = yes(error.retryAfterSeconds !== null);
      assert.deepEqual(documented.get(situation), [
        error.code,
        error.code,
        String(error.status),
        waits,
        yes(row.retry),
        row.breaker === false ? 'no' : row.breaker,
        yes(row.invalidates),
        COUNTED[row.call],
      ]);
    });
  }
});

describe('The error of a provider failure', () => {
  for (const situation of situations) {
    it(`names the institution for ${situation}, and shows the provider's words only for a bad request`, () => {
      const failure = new UpstreamFailure(situation, 'It said something.', { retryAfterSeconds: 7 });
      const error = serviceErrorOf(failure, 'Gumtree Mutual');
      assert.ok(error.message.includes('Gumtree Mutual'));
      assert.equal(error.message.includes('It said something.'), situation === 'bad_request');
      assert.equal(error.detail, 'It said something.');
      assert.equal(error.type, ERROR_CODES[error.code].type);
      assert.ok(error.retryAfterSeconds === null || error.retryAfterSeconds === 7);
    });
  }
});

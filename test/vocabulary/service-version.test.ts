import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CURRENT_RELEASE, RELEASES, validateVersion } from '../../src/vocabulary/service-version.ts';

test('a published release is taken, and the current one is the last published', () => {
  for (const release of RELEASES) assert.equal(validateVersion(release), null);
  assert.equal(CURRENT_RELEASE, RELEASES.at(-1));
  assert.deepEqual([...RELEASES], [...RELEASES].toSorted());
});

test('a missing header is version_required', () => {
  assert.equal(validateVersion(undefined), 'version_required');
  assert.equal(validateVersion(''), 'version_required');
});

test('a header that is no date and name, or a date before the first release, is version_invalid', () => {
  for (const text of [
    'v2',
    '2026-10-01',
    '2026-10-01.',
    'wattle',
    '.wattle',
    '2026-10-01 wattle',
    '2026-10-01.Wattle',
    '2026-10-01.wattle ',
    '2026-10-01.wattle\n',
    '2026-10-01.wattle,2026-10-01.wattle',
    '26-10-01.wattle',
    '2026-10-32.wattle',
    '2026-11-31.wattle',
    '2027-02-29.wattle',
    '2026-13-01.wattle',
    '2026-09-30.wattle',
    '0000-00-00.wattle',
  ]) {
    assert.equal(validateVersion(text), 'version_invalid', JSON.stringify(text));
  }
});

test('a well-formed name of no published release is version_unknown', () => {
  for (const text of ['2026-10-01.banksia', '2026-10-02.wattle', '2028-02-29.wattle', '9999-12-31.a']) {
    assert.equal(validateVersion(text), 'version_unknown', text);
  }
});

test('any other header gets a verdict and never raises', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      assert.equal(validateVersion(text), 'version_invalid');
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { samePlace, validateTarget } from '../../../src/features/destinations/target-checks.ts';
import { type MappedSync, mappingsAfter, validateMappings } from '../../../src/features/syncs/sync-rules.ts';
import { type AccountMapping, MAPPING_MEMBERS } from '../../../src/vocabulary/account-mappings.ts';
import { DESTINATION_KINDS, DESTINATION_TYPES } from '../../../src/vocabulary/destination-kinds.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import { MAPPING_MODES, SYNC_TYPES } from '../../../src/vocabulary/syncs.ts';

const ACCOUNTS = [1, 2, 3, 4].map((n) => rowId('account', `00000000-0000-7000-8000-00000000000${n}`));
const account = fc.constantFrom(...ACCOUNTS);
const sync: fc.Arbitrary<MappedSync> = fc.record({
  type: fc.constantFrom(...SYNC_TYPES),
  destination: fc.constantFrom(...DESTINATION_TYPES),
  mode: fc.constantFrom(...MAPPING_MODES),
  accounts: fc.uniqueArray(account, { minLength: 1 }),
});
const members = fc.constantFrom<Record<string, string>[]>(
  {},
  { destination_account: 'b' },
  { destination_account: 'b', destination_account_name: 'B' },
  { destination_account_name: 'B' },
  { sheet_id: '1', sheet_name: 'One' },
  { sheet_id: '1' },
  { sheet_id: '1', sheet_name: 'One', destination_account: 'b' },
);
const mappings: fc.Arbitrary<AccountMapping[]> = fc.array(
  fc.tuple(account, members).map(([id, more]) => ({ ...more, account: id })),
  { maxLength: 4 },
);

/** The rules said again, in one sentence each. */
function wrong(of: MappedSync, given: readonly AccountMapping[], added: readonly string[]): string | null {
  const { entry } = DESTINATION_KINDS[of.destination].mapping;
  const taken = entry?.modes.includes(of.mode) ? entry : null;
  if (given.length > 0) {
    if (taken === null || of.type !== 'transactions') return 'parameter';
    if (new Set(given.map((one) => one.account)).size < given.length) return 'parameter';
    const all: readonly string[] = [...taken.required, ...taken.optional];
    for (const one of given) {
      if (!of.accounts.includes(one.account)) return 'parameter';
      if (taken.required.some((name) => one[name] === undefined)) return 'parameter';
      if (MAPPING_MEMBERS.some((name) => one[name] !== undefined && !all.includes(name))) return 'parameter';
    }
  }
  if (taken === null || of.type !== 'transactions') return null;
  const needed: readonly string[] = taken.needed === 'always' ? of.accounts : added;
  return needed.every((id) => given.some((one) => one.account === id)) ? null : 'mapping_required';
}

function verdict(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.match(error.param ?? '', /^account_mappings(\[\d+\]\.[a-z_]+)?$/);
    return error.code === 'mapping_required' ? error.code : 'parameter';
  }
}

test('mappings are accepted exactly when every rule holds', () => {
  fc.assert(
    fc.property(sync, mappings, fc.subarray(ACCOUNTS), (of, given, some) => {
      const added = some.filter((id) => of.accounts.includes(id));
      assert.equal(
        verdict(() => validateMappings(of, given, added)),
        wrong(of, given, added),
      );
    }),
    { numRuns: 2000 },
  );
});

test('an update of accounts alone never leaves a mapping of an account that went, nor one that needs one without', () => {
  fc.assert(
    fc.property(sync, mappings, fc.uniqueArray(account, { minLength: 1 }), (of, given, next) => {
      fc.pre(wrong(of, given, []) === null);
      const after = { ...of, accounts: next };
      let kept: readonly AccountMapping[] = [];
      const code = verdict(() => {
        kept = mappingsAfter(after, { accounts: of.accounts, mappings: given }, undefined);
      });
      const left = given.filter((one) => next.includes(one.account));
      const added = next.filter((id) => !of.accounts.includes(id));
      assert.equal(code, wrong(after, left, added));
      if (code === null) assert.deepEqual(kept, left);
    }),
    { numRuns: 1000 },
  );
});

test('a target is accepted exactly when it has the keys of its type, each with a value', () => {
  const keys = [...new Set(Object.values(DESTINATION_KINDS).flatMap(({ target }) => target.keys)), 'other'];
  const target = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom('', 'x', 'y'.repeat(300)));
  fc.assert(
    fc.property(fc.constantFrom(...DESTINATION_TYPES), target, (type, given) => {
      const wanted: readonly string[] = DESTINATION_KINDS[type].target.keys;
      const fits =
        Object.keys(given).toSorted().join() === [...wanted].toSorted().join() &&
        Object.entries(given).every(([key, value]) => value === 'x' || (key === 'url' && value !== ''));
      let taken = true;
      try {
        validateTarget(type, given);
      } catch (error) {
        assert.ok(error instanceof ServiceError && error.param?.startsWith('target.'), String(error));
        taken = false;
      }
      assert.equal(taken, fits);
    }),
    { numRuns: 2000 },
  );
});

test('two targets are the same place when their ids agree, whatever the names', () => {
  const one = { spreadsheet_id: 'a', sheet_id: 'b', spreadsheet_name: 'A', sheet_name: 'B' };
  assert.ok(samePlace(one, { ...one, sheet_name: 'C', spreadsheet_name: 'D' }));
  assert.ok(!samePlace(one, { ...one, sheet_id: 'c' }));
  assert.ok(!samePlace(one, { ...one, spreadsheet_id: 'b', sheet_id: 'a' }));
});

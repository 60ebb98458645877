import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { Taxonomies } from '../../../src/features/categories/taxonomies.ts';
import { compileCondition } from '../../../src/features/rules/compile-condition.ts';
import { parseActions } from '../../../src/features/rules/parse-actions.ts';
import { parseConditions } from '../../../src/features/rules/parse-rule.ts';
import { validatedPatternLimits } from '../../../src/features/rules/pattern.ts';
import { RulesetPreview } from '../../../src/features/rulesets/ruleset-preview.ts';
import { RulesetRules } from '../../../src/features/rulesets/ruleset-rules.ts';
import { Notices } from '../../../src/storage/notices.ts';
import type { ErrorCode } from '../../../src/vocabulary/error-codes.ts';
import { rowId } from '../../../src/vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../src/vocabulary/limits.ts';
import { localDate } from '../../../src/vocabulary/moments.ts';
import { ServiceError } from '../../../src/vocabulary/service-error.ts';
import type { Transaction } from '../../../src/vocabulary/transactions.ts';
import { RuledWorld } from '../rulesets/ruled-world.ts';
import { closeDatabase } from '../sync-engine/support/world.ts';
import { CATEGORIES, row, transaction } from './rows.ts';

const NOWHERE = '01234567-89ab-7cde-8f01-23456789abcd';
const small = (limits: Partial<Limits>): Limits => ({ ...DEFAULT_LIMITS, ...limits });

function is(error: unknown, code: ErrorCode, param: string | null): true {
  assert.ok(error instanceof ServiceError, String(error));
  assert.deepEqual([error.code, error.param], [code, param]);
  return true;
}

/** The first is taken, the second refused. */
function conditions(limits: Partial<Limits>, taken: object, refused: object, param: string): void {
  assert.ok(parseConditions(taken, 'conditions', small(limits)));
  assert.throws(
    () => parseConditions(refused, 'conditions', small(limits)),
    (error) => is(error, 'parameter_invalid', param),
  );
}

const leaf = (value: unknown, operator = 'contains') => ({ field: 'description', operator, value });

describe('one rule holds', () => {
  test('so many conditions and groups [limit rule_conditions]', () => {
    const any = (count: number) => ({ any: Array(count).fill(leaf('x')) });
    conditions({ rule_conditions: 4 }, any(3), any(4), 'conditions.any[3]');
  });

  test('so many levels of them [limit rule_condition_depth]', () => {
    const deep = { not: { not: leaf('x') } };
    conditions({ rule_condition_depth: 3 }, deep, { not: deep }, 'conditions.not.not.not');
  });

  test('so many values in a list [limit rule_values]', () => {
    conditions(
      { rule_values: 2 },
      leaf(['a', 'b'], 'in'),
      leaf(['a', 'b', 'c'], 'not_in'),
      'conditions.value',
    );
  });

  test('so many characters in a text [limit rule_text_characters]', () => {
    const limits = { rule_text_characters: 3 };
    conditions(limits, leaf('abc'), leaf('abcd'), 'conditions.value');
    const memo = (value: string) => parseActions([{ type: 'set_memo', value }], 'actions', small(limits));
    assert.ok(memo('abc'));
    assert.throws(
      () => memo('abcd'),
      (error) => is(error, 'parameter_invalid', 'actions[0].value'),
    );
  });

  test('so many characters in a pattern [limit rule_pattern_characters]', () => {
    conditions(
      { rule_pattern_characters: 3 },
      leaf('a.b', 'matches'),
      leaf('a.*b', 'matches'),
      'conditions.value',
    );
  });

  test('so many steps in a compiled pattern [limit rule_pattern_steps]', () => {
    conditions(
      { rule_pattern_steps: 20 },
      leaf('a{10}', 'matches'),
      leaf('a{30}', 'matches'),
      'conditions.value',
    );
  });

  test('so many actions [limit rule_actions]', () => {
    const flips = (count: number) =>
      parseActions(Array(count).fill({ type: 'flip_sign' }), 'actions', small({ rule_actions: 2 }));
    assert.equal(flips(2).length, 2);
    assert.throws(
      () => flips(3),
      (error) => is(error, 'parameter_invalid', 'actions'),
    );
  });
});

test('a pattern looks at so much of a text [limit row_text_characters]', () => {
  const limits = validatedPatternLimits(small({ row_text_characters: 5 }));
  const sees = compileCondition(
    { field: 'description', operator: 'matches', value: 'x', case_sensitive: false },
    { limits, categories: CATEGORIES },
  );
  assert.deepEqual(
    [sees(row({ description: '1234x' })), sees(row({ description: '12345x' }))],
    [true, false],
  );
});

describe('an account record holds', () => {
  let ruled: RuledWorld;
  const limits = { rulesets: 2, ruleset_rules: 2, ruleset_patterns: 1, sync_rulesets: 1 };
  beforeEach(async () => {
    ruled = await RuledWorld.open({ limits });
  });
  afterEach(() => ruled.world.close());
  after(closeDatabase);

  const input = { name: 'Set', description: null, enabled: true, metadata: null };
  const skip = { conditions: null, actions: [{ type: 'skip' }] };
  const pattern = { ...skip, conditions: leaf('a|b', 'matches') };

  test('so many rulesets, copies among them, also when many are made at once [limit rulesets]', async () => {
    const { rulesets, world } = ruled;
    const tries = await Promise.allSettled(
      Array.from({ length: 4 }, () => rulesets.create(world.owner.id, input, false)),
    );
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 2);
    const page = { limit: 10, after: null, before: null };
    const { items } = await rulesets.list(world.owner.id, page, false);
    assert.equal(items.length, 2);
    const [first] = items;
    assert.ok(first !== undefined);
    const copy = rulesets.duplicate(world.owner.id, first.id, false);
    await assert.rejects(copy, (error) => is(error, 'parameter_invalid', null));
    await rulesets.delete(world.owner.id, first.id);
    assert.ok(await rulesets.create(world.owner.id, input, false));
  });

  test('so many rules in a ruleset [limit ruleset_rules]', async () => {
    const { owner } = ruled.world;
    const set = await ruled.ruleset();
    await ruled.rules.create(owner.id, set, skip);
    await ruled.rules.create(owner.id, set, skip);
    await assert.rejects(ruled.rules.create(owner.id, set, skip), (error) =>
      is(error, 'rule_limit_reached', null),
    );
  });

  test('so many patterns in a ruleset [limit ruleset_patterns]', async () => {
    const { owner } = ruled.world;
    const set = await ruled.ruleset();
    const one = await ruled.rules.create(owner.id, set, pattern);
    const refused = (work: Promise<unknown>) =>
      assert.rejects(work, (error) => is(error, 'parameter_invalid', 'conditions'));
    await refused(ruled.rules.create(owner.id, set, pattern));
    const two = await ruled.rules.create(owner.id, set, skip);
    await refused(ruled.rules.update(owner.id, set, two.id, { conditions: leaf('c', 'matches') }));
    await ruled.rules.update(owner.id, set, one.id, { conditions: leaf('c', 'matches') });
  });

  test('so many steps in all patterns of a ruleset together [limit ruleset_pattern_steps]', async () => {
    const { owner, database, clock, limits: lower } = ruled.world;
    const set = await ruled.ruleset();
    const steps = { ...lower, ruleset_patterns: 3, ruleset_pattern_steps: 40 };
    const rules = new RulesetRules({ db: database.db, clock, limits: steps });
    const sized = (count: number) => ({ ...skip, conditions: leaf(`a{${count}}`, 'matches') });
    const refused = (work: Promise<unknown>) =>
      assert.rejects(work, (error) => is(error, 'parameter_invalid', 'conditions'));
    const one = await rules.create(owner.id, set, sized(15));
    await refused(rules.create(owner.id, set, sized(30)));
    const two = await rules.create(owner.id, set, sized(10));
    await refused(rules.update(owner.id, set, two.id, sized(30)));
    await rules.update(owner.id, set, one.id, { conditions: null });
    await rules.update(owner.id, set, two.id, sized(30));
    await rules.update(owner.id, set, one.id, { conditions: leaf('a') });
  });

  test('more patterns only where they were saved under a higher limit, and its rules can still be changed', async () => {
    const { owner, database, clock, limits: lower } = ruled.world;
    const set = await ruled.ruleset();
    const before = new RulesetRules({ db: database.db, clock, limits: { ...lower, ruleset_patterns: 2 } });
    const one = await before.create(owner.id, set, pattern);
    const two = await before.create(owner.id, set, pattern);
    const off = await ruled.rules.update(owner.id, set, one.id, { enabled: false });
    assert.equal(off.enabled, false);
    const again = ruled.rules.update(owner.id, set, two.id, { conditions: leaf('c', 'matches') });
    await assert.rejects(again, (error) => is(error, 'parameter_invalid', 'conditions'));
    await ruled.rules.update(owner.id, set, one.id, { conditions: null });
    await ruled.rules.update(owner.id, set, two.id, { conditions: leaf('c', 'matches') });
  });

  test('half of the previews that are applied at once, where no one else has any [limit previews_at_once]', async () => {
    const { world } = ruled;
    const { db } = world.database;
    const set = await ruled.ruleset();
    const rows = Array.from({ length: 4 }, (_, at) => transaction({ id: `txn_fk_${at}` }));
    for (const [previews_at_once, most] of [
      [2, 1],
      [4, 2],
    ] as const) {
      const applied = new Set<object>();
      let seen = 0;
      const day = localDate('2026-11-19');
      const transactions = async () => {
        const list = { rows, truncated: false, setAside: { count: 0, rows: [] }, from: day, to: day };
        const categoryOf = (row: Transaction) => {
          if (row === rows[0]) applied.add(list);
          seen = Math.max(seen, applied.size);
          if (row === rows.at(-1)) applied.delete(list);
          // Longer than work may go on without yielding.
          for (const began = performance.now(); performance.now() - began < 11; );
          return null;
        };
        return { ...list, categoryOf };
      };
      const taxonomies = new Taxonomies({
        db,
        clock: world.clock,
        notices: new Notices(world.database.database),
      });
      const limits = { ...world.limits, previews_at_once };
      const preview = new RulesetPreview({ db, limits, accountReads: { transactions }, taxonomies });
      const request = { account: rowId('account', NOWHERE), from: null, to: null, includePending: false };
      const asked = Array.from({ length: 5 }, () =>
        preview.preview(
          world.owner.id,
          set,
          { ...request, limit: 4, rules: null },
          AbortSignal.timeout(60_000),
        ),
      );
      assert.deepEqual(
        (await Promise.all(asked)).map((answer) => answer.rows.length),
        [4, 4, 4, 4, 4],
      );
      assert.equal(seen, most);
    }
  });

  test('so many rulesets on a sync [limit sync_rulesets]', async () => {
    const { world, attachments } = ruled;
    const sync = await world.sync([world.account()]);
    const sets = [await ruled.ruleset(), await ruled.ruleset()];
    await attachments.attach(world.owner.id, sync.row.id, sets.slice(0, 1));
    const both = attachments.attach(world.owner.id, sync.row.id, sets);
    await assert.rejects(both, (error) => is(error, 'parameter_invalid', 'rulesets'));
    assert.deepEqual((await world.syncs.read(world.owner.id, sync.row.id)).rulesets, sets.slice(0, 1));
  });
});

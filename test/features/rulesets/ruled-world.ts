import assert from 'node:assert/strict';
import { Taxonomies } from '../../../src/features/categories/taxonomies.ts';
import { RulesetAttachments } from '../../../src/features/rulesets/create-rulesets.ts';
import { rowRulesOfSync } from '../../../src/features/rulesets/row-rules-of-sync.ts';
import { RulesetRules } from '../../../src/features/rulesets/ruleset-rules.ts';
import { Rulesets } from '../../../src/features/rulesets/rulesets.ts';
import type { Sync } from '../../../src/features/syncs/syncs.ts';
import { Notices } from '../../../src/storage/notices.ts';
import type { RowId } from '../../../src/vocabulary/ids.ts';
import { World, type WorldOptions } from '../sync-engine/support/world.ts';

export type Condition = readonly [field: string, operator: string, value?: unknown];
export interface TestRule {
  readonly when: Condition | null;
  readonly do: readonly object[];
  readonly stop?: boolean;
}

/** A world whose syncs go through rulesets, with the features that manage them. */
export class RuledWorld {
  readonly world: World;
  readonly rulesets: Rulesets;
  readonly rules: RulesetRules;
  readonly attachments: RulesetAttachments;

  private constructor(world: World) {
    this.world = world;
    const { clock, limits } = world;
    const deps = { db: world.database.db, clock, limits };
    this.rulesets = new Rulesets(deps);
    this.rules = new RulesetRules(deps);
    this.attachments = new RulesetAttachments(deps);
  }

  static async open(options: WorldOptions = {}): Promise<RuledWorld> {
    const world = await World.open({
      ...options,
      rulesOf: ({ clock, limits, database }, db) => {
        const notices = new Notices(database.database);
        return rowRulesOfSync({ db, limits, taxonomies: new Taxonomies({ db, clock, notices }) });
      },
    });
    return new RuledWorld(world);
  }

  /** A ruleset of the rules. */
  async ruleset(...rules: readonly TestRule[]): Promise<RowId<'ruleset'>> {
    const { owner } = this.world;
    const input = { name: 'Rules', description: null, enabled: true, metadata: null };
    const { id } = await this.rulesets.create(owner.id, input, false);
    for (const rule of rules) await this.rules.create(owner.id, id, given(rule));
    return id;
  }

  /** Attaches a new ruleset of the rules in place of what is attached; none detaches. */
  async apply(sync: Sync, ...rules: readonly TestRule[]): Promise<RowId<'ruleset'> | null> {
    const ruleset = rules.length === 0 ? null : await this.ruleset(...rules);
    await this.attachments.attach(this.world.owner.id, sync.row.id, ruleset === null ? [] : [ruleset]);
    return ruleset;
  }

  /** Hits of the ruleset's rules, in their order. */
  async hits(ruleset: RowId<'ruleset'> | null): Promise<number[]> {
    assert.ok(ruleset !== null);
    const { rules } = await this.rulesets.read(this.world.owner.id, ruleset, true);
    return (rules ?? []).map((rule) => rule.hits);
  }
}

function given({ when, do: actions, stop = false }: TestRule) {
  const [field, operator, value] = when ?? [];
  return { conditions: when === null ? null : { field, operator, value }, actions, stop };
}

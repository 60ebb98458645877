import type { Clock } from '../../platform/clock.ts';
import { newRowId } from '../../platform/row-id.ts';
import type { Db, Trx } from '../../storage/database.ts';
import { inRetryableTransaction } from '../../storage/retryable-transaction.ts';
import {
  type CountedRule,
  deleteRule,
  findRule,
  insertRules,
  listRules,
  placeRules,
  type RuleRow,
  rulesOfRulesets,
  updateRule,
} from '../../storage/rules.ts';
import { findRuleset, lockRuleset, updateRuleset } from '../../storage/rulesets.ts';
import { type OwnerId, type RowId, rowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Page } from '../../vocabulary/paging.ts';
import { invalidParameter, missing, ServiceError } from '../../vocabulary/service-error.ts';
import {
  type GivenRule,
  parseRule,
  parseRulePatch,
  type RulePatch,
  requireRoomForPatterns,
} from '../rules/parse-rule.ts';
import { requireOwnReferences } from '../rules/references.ts';

type RulesetId = RowId<'ruleset'>;
type Id = RowId<'rule'>;

export interface RulesetRulesDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** `position`: the rule's new position, from 0; if absent, the end of the set, or its current position. */
export type NewRule = GivenRule & { readonly position?: number };
export type PlacedRulePatch = RulePatch & { readonly position?: number };

/** The rules of a ruleset. Every change is made under the ruleset's lock, so positions never have gaps. */
export class RulesetRules {
  readonly #deps: RulesetRulesDependencies;

  constructor(deps: RulesetRulesDependencies) {
    this.#deps = deps;
  }

  /**
   * Raises `resource_missing` (the ruleset, or the path of an id in the rule), `parameter_invalid`,
   * `parameter_missing`, `rule_limit_reached` and `rule_create_failed`.
   */
  async create(owner: OwnerId, ruleset: RulesetId, input: NewRule): Promise<CountedRule> {
    const { db, clock, limits } = this.#deps;
    const body = parseRule(input, limits);
    const id = rowId('rule', newRowId(clock));
    const now = new Date(clock.now());
    await inRetryableTransaction(db, 'rule_create_failed', async (trx) => {
      const rules = await this.#held(trx, owner, ruleset);
      if (rules.length >= limits.ruleset_rules) {
        throw new ServiceError('rule_limit_reached', {
          message: `The ruleset already has ${limits.ruleset_rules} rules; delete or merge some.`,
        });
      }
      requireRoomForPatterns(rules, body, limits);
      await requireOwnReferences(trx, owner, body);
      const at = placeIn(rules.length + 1, input.position);
      const row: RuleRow = {
        ...body,
        id,
        account_record: owner,
        ruleset,
        position: rules.length,
        created: now,
        updated: now,
      };
      await insertRules(trx, [row]);
      await placeRules(trx, owner, moved([...rules.map((rule) => rule.id), id], id, at));
      await updateRuleset(trx, owner, ruleset, { updated: now });
    });
    return this.read(owner, ruleset, id);
  }

  /** Raises `resource_missing` for a ruleset or a rule that does not exist. */
  async read(owner: OwnerId, ruleset: RulesetId, id: Id): Promise<CountedRule> {
    const rule = await findRule(this.#deps.db, owner, ruleset, id);
    if (rule === null) throw missing('rule');
    return rule;
  }

  /** In their order. Raises `resource_missing`. */
  async list(
    owner: OwnerId,
    ruleset: RulesetId,
    page: { readonly limit: number; readonly after: number | null; readonly before: number | null },
  ): Promise<Page<CountedRule>> {
    const { db } = this.#deps;
    if ((await findRuleset(db, owner, ruleset)) === null) throw missing('ruleset');
    return listRules(db, owner, ruleset, page);
  }

  /** Members that the change does not name stay, including the hits. Raises as create does, except for the limit. */
  async update(owner: OwnerId, ruleset: RulesetId, id: Id, patch: PlacedRulePatch): Promise<CountedRule> {
    const { db, clock, limits } = this.#deps;
    const change = parseRulePatch(patch, limits);
    const now = new Date(clock.now());
    await db.transaction().execute(async (trx) => {
      const rules = await this.#held(trx, owner, ruleset);
      if (!rules.some((rule) => rule.id === id)) throw missing('rule');
      if (change.conditions !== undefined) {
        const others = rules.filter((rule) => rule.id !== id);
        requireRoomForPatterns(others, { conditions: change.conditions }, limits);
      }
      await requireOwnReferences(trx, owner, change);
      await updateRule(trx, owner, id, { ...change, updated: now });
      if (patch.position !== undefined) {
        const at = placeIn(rules.length, patch.position);
        const ids = rules.map((rule) => rule.id);
        await placeRules(trx, owner, moved(ids, id, at));
      }
      await updateRuleset(trx, owner, ruleset, { updated: now });
    });
    return this.read(owner, ruleset, id);
  }

  /** The rules after it move up. Raises `resource_missing`. */
  async delete(owner: OwnerId, ruleset: RulesetId, id: Id): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const rules = await this.#held(trx, owner, ruleset);
      if (!rules.some((rule) => rule.id === id)) throw missing('rule');
      await deleteRule(trx, owner, id);
      const rest = rules.flatMap((rule) => (rule.id === id ? [] : [rule.id]));
      await placeRules(trx, owner, rest);
      await this.#touch(trx, owner, ruleset);
    });
  }

  /**
   * Puts the rules in the order given, which names each of them once. Raises `resource_missing` (`rules[n]`) for an id
   * that is not a rule of the set, and `parameter_invalid` (`rules`) if one is named twice or left out.
   */
  async reorder(owner: OwnerId, ruleset: RulesetId, ids: readonly Id[]): Promise<void> {
    await this.#deps.db.transaction().execute(async (trx) => {
      const known = new Set((await this.#held(trx, owner, ruleset)).map((rule) => rule.id));
      ids.forEach((id, at) => {
        if (!known.has(id)) throw missing('rule', `rules[${at}]`);
      });
      if (new Set(ids).size < ids.length) throw invalidParameter('rules', 'A rule is listed twice.');
      if (ids.length < known.size) {
        throw invalidParameter('rules', `The ruleset has ${known.size} rules; list every one of them.`);
      }
      await placeRules(trx, owner, ids);
      await this.#touch(trx, owner, ruleset);
    });
  }

  async #held(trx: Trx, owner: OwnerId, ruleset: RulesetId): Promise<readonly CountedRule[]> {
    if ((await lockRuleset(trx, owner, ruleset)) === null) throw missing('ruleset');
    return rulesOfRulesets(trx, owner, [ruleset]);
  }

  async #touch(trx: Trx, owner: OwnerId, ruleset: RulesetId): Promise<void> {
    await updateRuleset(trx, owner, ruleset, { updated: new Date(this.#deps.clock.now()) });
  }
}

/** A position among `count`; the last one by default. */
function placeIn(count: number, position: number | undefined): number {
  if (position === undefined) return count - 1;
  if (position < count) return position;
  throw invalidParameter('position', `position must be between 0 and ${count - 1}.`);
}

function moved(ids: readonly Id[], id: Id, at: number): Id[] {
  return ids.filter((other) => other !== id).toSpliced(at, 0, id);
}

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import { holdRulesets } from '../../storage/rulesets.ts';
import { replaceRulesets } from '../../storage/sync-rulesets.ts';
import { lockSync, updateSync } from '../../storage/syncs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { invalidParameter, missing } from '../../vocabulary/service-error.ts';
import type { Taxonomies } from '../categories/taxonomies.ts';
import type { AccountReads } from '../reads/account-reads.ts';
import { RulesetPreview } from './ruleset-preview.ts';
import { RulesetRules } from './ruleset-rules.ts';
import { Rulesets } from './rulesets.ts';

export interface RulesetsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly accountReads: AccountReads;
  readonly taxonomies: Taxonomies;
}

/** Rulesets: rules that change rows on their way to a destination, their attachment to syncs, and their preview. */
export interface RulesetFeatures {
  readonly rulesets: Rulesets;
  readonly rulesetRules: RulesetRules;
  readonly rulesetAttachments: RulesetAttachments;
  readonly rulesetPreview: RulesetPreview;
}

export function createRulesets(options: RulesetsOptions): RulesetFeatures {
  return {
    rulesets: new Rulesets(options),
    rulesetRules: new RulesetRules(options),
    rulesetAttachments: new RulesetAttachments(options),
    rulesetPreview: new RulesetPreview(options),
  };
}

export interface RulesetAttachmentsDependencies {
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Which rulesets a sync's rows go through (`POST /v2/syncs/{id}/rulesets`). */
export class RulesetAttachments {
  readonly #deps: RulesetAttachmentsDependencies;

  constructor(deps: RulesetAttachmentsDependencies) {
    this.#deps = deps;
  }

  /**
   * Attaches the rulesets in place of those attached before; an empty list detaches all. A run in progress is not
   * affected. Raises `resource_missing` (the sync, or `rulesets[n]`) and `parameter_invalid` (`rulesets`) for too many.
   */
  async attach(owner: OwnerId, sync: RowId<'sync'>, rulesets: readonly RowId<'ruleset'>[]): Promise<void> {
    const { db, clock, limits } = this.#deps;
    if (rulesets.length > limits.sync_rulesets) {
      throw invalidParameter('rulesets', `At most ${limits.sync_rulesets} can be attached to a sync.`);
    }
    if (new Set(rulesets).size < rulesets.length) {
      throw invalidParameter('rulesets', 'A ruleset is listed twice.');
    }
    await db.transaction().execute(async (trx) => {
      if ((await lockSync(trx, owner, sync)) === null) throw missing('sync');
      const own = new Set(await holdRulesets(trx, owner, rulesets));
      rulesets.forEach((ruleset, at) => {
        if (!own.has(ruleset)) throw missing('ruleset', `rulesets[${at}]`);
      });
      await replaceRulesets(trx, sync, rulesets);
      await updateSync(trx, owner, sync, { updated: new Date(clock.now()) });
    });
  }
}

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../storage/database.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { Taxonomies } from '../categories/taxonomies.ts';
import type { AccountReads } from '../reads/account-reads.ts';
import { RulesetAttachments } from './ruleset-attachments.ts';
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

/** Rulesets: rules that change rows on their way to a destination, which syncs they are attached to, and their preview. */
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

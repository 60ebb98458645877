import type { Static } from 'typebox';
import type {
  createRulesetBody,
  previewBody,
  rulesetPreviewSchema,
  rulesetSchema,
  updateRulesetBody,
} from '../../../src/operations/v2/rulesets/resource.ts';
import type { ruleSchema } from '../../../src/operations/v2/rulesets/rules.ts';
import type { RuleBody } from '../../../src/vocabulary/rules.ts';

export type Ruleset = Static<typeof rulesetSchema>;
export type Rule = Static<typeof ruleSchema>;
export type RulesetPreview = Static<typeof rulesetPreviewSchema>;
export type PreviewedRow = RulesetPreview['rows'][number];
export type NewRuleset = Static<typeof createRulesetBody>;
export type RulesetPatch = Static<typeof updateRulesetBody>;

export interface PreviewRequest extends Omit<Static<typeof previewBody>, 'rules'> {
  /** Rules to try in place of the saved ones. */
  readonly rules?: readonly RuleBody[];
}

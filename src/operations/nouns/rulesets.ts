import type { Static } from 'typebox';
import type { rulesetPreviewSchema, rulesetSchema } from '../schemas/rulesets.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { Noun } from './noun.ts';
import { ruleActionWords, ruleConditionWords } from './rule-shapes.ts';
import { ruleExample, ruleOperationWords, ruleWords } from './rules.ts';
import { transactionExample } from './transactions.ts';

const ruleset: Static<typeof rulesetSchema> = {
  id: exampleId('ruleset'),
  object: 'ruleset',
  name: 'Tidy merchants',
  description: 'Names as people say them',
  enabled: true,
  rules: null,
  rule_count: 1,
  sync_count: 1,
  metadata: null,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_UPDATED,
};
const fresh = { ...ruleset, rule_count: 0, sync_count: 0, updated: EXAMPLE_CREATED };

const preview: Static<typeof rulesetPreviewSchema> = {
  object: 'ruleset_preview',
  ruleset: ruleset.id,
  account: exampleId('account'),
  from: '2026-10-21',
  to: '2026-11-20',
  truncated: false,
  totals: { rows: 1, matched: 1, changed: 1, skipped: 0 },
  rules: [{ rule: ruleExample.id, position: 0, name: ruleExample.name, hits: 1 }],
  rows: [
    {
      before: transactionExample,
      after: { ...transactionExample, merchant_name: 'Cafe' },
      memo: null,
      tags: [],
      changed: true,
      skipped: false,
      rules: [{ rule: ruleExample.id, position: 0 }],
    },
  ],
  livemode: true,
};

export const rulesetsNoun: Noun = {
  tag: 'rulesets',
  description: 'Rules that change or skip transactions on their way to a destination.',
  resources: {
    ruleset: {
      description: 'Up to 50 rules in an order. One ruleset is attached to a sync.',
      fields: { rules: 'Only with include[]=rules.', sync_count: 'Syncs it is attached to.' },
      example: ruleset,
    },
    rule: ruleWords,
    rule_condition: ruleConditionWords,
    rule_action: ruleActionWords,
    ruleset_preview: {
      description: 'The effect of a ruleset on the rows an account has now.',
      fields: {
        truncated: 'Whether there are more rows than were shown.',
        rows: 'Each row before and after; after is null where it is skipped.',
      },
      example: preview,
    },
  },
  operations: {
    ...ruleOperationWords,
    create_ruleset: { body: { name: ruleset.name, description: ruleset.description }, answer: fresh },
    update_ruleset: {
      description: 'Omitted fields are unchanged. A metadata key set to null is removed.',
      body: { enabled: false },
    },
    duplicate_ruleset: { answer: { ...ruleset, id: exampleId('ruleset', 2), sync_count: 0 } },
    reorder_ruleset: { description: 'Names every rule once.', body: { rules: [ruleExample.id] } },
    preview_ruleset: {
      description: 'With `rules`, those are tried in place of the saved ones. Reads live and writes nothing.',
      body: { account: exampleId('account'), limit: 50 },
    },
  },
};

import type { Static } from 'typebox';
import type { ruleSchema } from '../schemas/rules.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from './example-values.ts';
import type { OperationWords, ResourceWords } from './noun.ts';

const body = {
  name: 'Coffee to go',
  conditions: {
    all: [
      { field: 'description', operator: 'contains', value: 'CAFE', case_sensitive: false },
      { field: 'amount', operator: 'lt', value: '20.00', case_sensitive: false },
    ],
  },
  actions: [{ type: 'set_merchant' as const, value: 'Cafe' }],
};

export const ruleExample: Static<typeof ruleSchema> = {
  id: exampleId('rule'),
  object: 'rule',
  ruleset: exampleId('ruleset'),
  name: body.name,
  position: 0,
  enabled: true,
  conditions: {
    all: [
      { field: 'description', operator: 'contains', value: 'CAFE', case_sensitive: false },
      { field: 'amount', operator: 'lt', value: '20.00', case_sensitive: false },
    ],
  },
  actions: body.actions,
  stop: false,
  hits: 17,
  last_hit_at: EXAMPLE_UPDATED,
  livemode: true,
  created: EXAMPLE_CREATED,
  updated: EXAMPLE_CREATED,
};

export const ruleWords: ResourceWords = {
  description:
    'When its conditions hold for a row, its actions are applied; the rules after it see the changed row.',
  fields: {
    position: 'Place among the rules of the ruleset, from 0.',
    conditions: 'A tree of all, any and not over conditions on fields; null: every row.',
    actions: 'What is done to the row, in order.',
    stop: 'Whether later rules skip a row this one acted on.',
    hits: 'Rows it acted on in syncs.',
  },
  example: ruleExample,
};

const sent = {
  conditions: 'For which rows; null: every row.',
  actions: 'What is done to them, in order.',
};

export const ruleOperationWords: Readonly<Record<string, OperationWords>> = {
  create_rule: {
    description:
      '`conditions` is required: null means every row, and an accidental omission must not mean that.',
    sent,
    body,
    answer: { ...ruleExample, hits: 0, last_hit_at: null },
  },
  update_rule: {
    description: 'Omitted fields are unchanged.',
    sent,
    body: { enabled: false, position: 0 },
  },
};

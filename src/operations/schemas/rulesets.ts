import { Type } from 'typebox';
import { FIXED_LIMITS, LIMITS } from '../../vocabulary/limits.ts';
import {
  day,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  nullable,
  resource,
  text,
  timestamp,
} from './conventions.ts';
import { givenRule, ruleSchema } from './rules.ts';
import { transactionSchema } from './transactions.ts';

/** docs/rules.md. */
export const rulesetSchema = resource('ruleset', {
  id: Type.String(),
  object: Type.Literal('ruleset'),
  name: Type.String(),
  description: nullable(Type.String()),
  enabled: Type.Boolean(),
  rules: nullable(Type.Array(ruleSchema)),
  rule_count: Type.Integer({ minimum: 0 }),
  sync_count: Type.Integer({ minimum: 0 }),
  metadata: metadataShown,
  livemode,
  created: timestamp,
  updated: timestamp,
});

const name = text(FIXED_LIMITS.name_characters);
const description = nullable(text(FIXED_LIMITS.metadata_value_characters));
const id = Type.String({ minLength: 1, maxLength: 300 });

export const createRulesetBody = Type.Object({
  name,
  description: Type.Optional(description),
  enabled: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(nullable(metadataInput)),
});

export const updateRulesetBody = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  enabled: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(metadataPatch),
});

export const reorderRulesBody = Type.Object({
  rules: Type.Array(id, {
    maxItems: LIMITS.ruleset_rules.max,
    description: 'Every rule once, in the new order.',
  }),
});

export const syncRulesetsBody = Type.Object({
  rulesets: Type.Array(id, { maxItems: 100, description: 'What is attached from now on; empty detaches.' }),
});

export const previewBody = Type.Object({
  account: id,
  from: Type.Optional(Type.String({ maxLength: 40, description: 'First day; 30 days back when absent.' })),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'Last day, included; today when absent.' })),
  include_pending: Type.Optional(Type.Boolean()),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.preview_rows.max,
      description: 'Rows, newest first; 100 by default.',
    }),
  ),
  rules: Type.Optional(
    Type.Array(givenRule, {
      maxItems: LIMITS.ruleset_rules.max,
      description: 'Rules to try in place of the saved ones.',
    }),
  ),
});

const ruleAt = { rule: nullable(Type.String()), position: Type.Integer({ minimum: 0 }) };
const count = Type.Integer({ minimum: 0 });

const previewRow = resource('ruleset_preview_row', {
  before: transactionSchema,
  after: nullable(transactionSchema),
  memo: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  changed: Type.Boolean(),
  skipped: Type.Boolean(),
  rules: Type.Array(Type.Object(ruleAt, { additionalProperties: false })),
});

export const rulesetPreviewSchema = resource('ruleset_preview', {
  object: Type.Literal('ruleset_preview'),
  ruleset: Type.String(),
  account: Type.String(),
  from: day,
  to: day,
  truncated: Type.Boolean(),
  totals: Type.Object(
    { rows: count, matched: count, changed: count, skipped: count },
    { additionalProperties: false },
  ),
  rules: Type.Array(
    Type.Object({ ...ruleAt, name: nullable(Type.String()), hits: count }, { additionalProperties: false }),
  ),
  rows: Type.Array(previewRow),
  livemode,
});

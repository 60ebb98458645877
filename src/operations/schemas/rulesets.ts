import { Type } from 'typebox';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { limited } from './bounds.ts';
import {
  day,
  dayOf,
  dayWindow,
  idOf,
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
  id: idOf('ruleset'),
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

export const createRulesetBody = Type.Object({
  name,
  description: Type.Optional(description),
  enabled: Type.Optional(Type.Boolean({ default: true })),
  metadata: Type.Optional(nullable(metadataInput)),
});

export const updateRulesetBody = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
  enabled: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(metadataPatch),
});

export const reorderRulesBody = Type.Object({
  rules: Type.Array(idOf('rule'), {
    ...limited({ maxItems: 'ruleset_rules' }),
    description: 'Every rule once, in the new order.',
  }),
});

export const syncRulesetsBody = Type.Object({
  rulesets: Type.Array(idOf('ruleset'), {
    ...limited({ maxItems: 'sync_rulesets' }),
    description: 'What is attached from now on; empty detaches.',
  }),
});

/** Rows of a preview that asks for no number. */
export const PREVIEW_ROWS = 100;

export const previewBody = Type.Object({
  account: idOf('account'),
  from: Type.Optional(dayOf('First day; 30 days back when absent.')),
  to: Type.Optional(dayWindow.to),
  include_pending: Type.Optional(Type.Boolean({ default: false })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      ...limited({ maximum: 'preview_rows' }),
      default: PREVIEW_ROWS,
      description: 'Rows, newest first.',
    }),
  ),
  rules: Type.Optional(
    Type.Array(givenRule, {
      ...limited({ maxItems: 'ruleset_rules' }),
      description: 'Rules to try in place of the saved ones.',
    }),
  ),
});

const ruleAt = { rule: nullable(idOf('rule')), position: Type.Integer({ minimum: 0 }) };
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
  ruleset: idOf('ruleset'),
  account: idOf('account'),
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

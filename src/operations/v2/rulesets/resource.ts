import { type Static, Type } from 'typebox';
import type { Preview, PreviewedRow } from '../../../features/rulesets/ruleset-preview.ts';
import type { Ruleset } from '../../../features/rulesets/rulesets.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { EXAMPLE_CREATED, EXAMPLE_UPDATED, exampleId } from '../docs/examples.ts';
import { limited } from '../schema/bounds.ts';
import {
  day,
  dayOf,
  dayWindow,
  idOf,
  livemode,
  metadataInput,
  metadataPatch,
  metadataShown,
  moment,
  nullable,
  resource,
  text,
  timestamp,
} from '../schema/conventions.ts';
import { presentTransaction, transactionExample, transactionSchema } from '../transactions/resource.ts';
import { ruleActionWords, ruleConditionWords } from './rule-shapes.ts';
import { givenRule, presentRule, ruleExample, ruleSchema } from './rules.ts';

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

/** `rules` only where the caller asked to include them. */
export function presentRuleset({ id, row, rules }: Ruleset): Static<typeof rulesetSchema> {
  return {
    id: publicId('ruleset', id),
    object: 'ruleset',
    name: row.name,
    description: row.description,
    enabled: row.enabled,
    rules: rules === null ? null : rules.map(presentRule),
    rule_count: row.rule_count,
    sync_count: row.sync_count,
    metadata: row.metadata,
    livemode: true,
    created: moment(row.created),
    updated: moment(row.updated),
  };
}

export function presentPreview(
  preview: Preview,
  ruleset: RowId<'ruleset'>,
  account: RowId<'account'>,
): Static<typeof rulesetPreviewSchema> {
  const { rows, rules } = preview;
  const ids = rules.map(({ id }) => (id === null ? null : publicId('rule', id)));
  const count = (test: (row: PreviewedRow) => boolean): number => rows.filter(test).length;
  return {
    object: 'ruleset_preview',
    ruleset: publicId('ruleset', ruleset),
    account: publicId('account', account),
    from: preview.from,
    to: preview.to,
    truncated: preview.truncated,
    totals: {
      rows: rows.length,
      matched: count((row) => row.hits.length > 0),
      changed: count((row) => row.changed),
      skipped: count((row) => row.after === null),
    },
    rules: rules.map(({ body, hits }, position) => ({
      rule: ids[position] ?? null,
      position,
      name: body.name,
      hits,
    })),
    rows: rows.map((row) => presentRow(row, ids)),
    livemode: true,
  };
}

function presentRow({ before, after, changed, hits }: PreviewedRow, ids: readonly (string | null)[]) {
  return {
    before: presentTransaction(before.transaction, before.account, before.category),
    after: after === null ? null : presentTransaction(after.transaction, after.account, after.category),
    memo: after?.memo ?? null,
    tags: [...(after?.tags ?? [])],
    changed,
    skipped: after === null,
    rules: hits.map((position) => ({ rule: ids[position] ?? null, position })),
  };
}

export const rulesetExample: Static<typeof rulesetSchema> = {
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
export const freshExample = { ...rulesetExample, rule_count: 0, sync_count: 0, updated: EXAMPLE_CREATED };

const previewExample: Static<typeof rulesetPreviewSchema> = {
  object: 'ruleset_preview',
  ruleset: rulesetExample.id,
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

export const rulesetsDocs: Readonly<Record<string, ResourceDocs>> = {
  ruleset: {
    description: 'Up to 50 rules in an order. One ruleset is attached to a sync.',
    fields: { rules: 'Only with include[]=rules.', sync_count: 'Syncs it is attached to.' },
    example: rulesetExample,
  },
  rule_condition: ruleConditionWords,
  rule_action: ruleActionWords,
  ruleset_preview: {
    description: 'The effect of a ruleset on the rows an account has now.',
    fields: {
      truncated: 'Whether there are more rows than were shown.',
      rows: 'Each row before and after; after is null if it is skipped.',
    },
    example: previewExample,
  },
};

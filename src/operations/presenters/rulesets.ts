import type { Static } from 'typebox';
import type { Preview, PreviewedRow } from '../../features/rulesets/ruleset-preview.ts';
import type { Ruleset } from '../../features/rulesets/rulesets.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { rulesetPreviewSchema, rulesetSchema } from '../schemas/rulesets.ts';
import { moment } from './moments.ts';
import { presentRule } from './rules.ts';
import { presentTransaction } from './transactions.ts';

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

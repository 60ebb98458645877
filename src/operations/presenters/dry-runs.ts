import type { Static } from 'typebox';
import type { DryRun, DryRunRow } from '../../features/sync-engine/dry-run-result.ts';
import { publicId, type RowId } from '../../vocabulary/ids.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { dryRunSchema } from '../schemas/dry-runs.ts';
import { presentHolding, presentTrade } from './holdings.ts';
import { presentTransaction } from './transactions.ts';

type Shown = Static<typeof dryRunSchema>;
type CategoryOf = (row: Transaction) => string | null;

/** `categoryOf`: the owner's category of a row that no rule looked at, as a public id. */
export function presentDryRun(
  { accounts, rows, truncated }: DryRun,
  sync: RowId<'sync'>,
  categoryOf: CategoryOf,
): Shown {
  return {
    object: 'dry_run',
    sync: publicId('sync', sync),
    accounts: accounts.map(({ account, failure, skipped, added, updated, removed, unchanged }) => ({
      account: publicId('account', account),
      failure: failure === null ? null : { code: failure },
      added,
      updated,
      removed,
      skipped_by_rules: skipped,
      unchanged,
    })),
    data: rows.map((row) => presentRow(row, categoryOf)),
    truncated,
    livemode: true,
  };
}

function presentRow(row: DryRunRow, categoryOf: CategoryOf): Shown['data'][number] {
  const account = publicId('account', row.account);
  const base: Shown['data'][number] = {
    object: 'dry_run_row',
    action: row.action,
    account,
    id: row.id,
    transaction: null,
    trade: null,
    holding: null,
    memo: null,
    tags: [],
    rules: row.rules.map((rule) => publicId('rule', rule)),
    replaces: row.replaces,
  };
  const { content } = row;
  switch (content?.kind) {
    case 'transaction': {
      const { transaction, source, category = categoryOf(source), memo, tags } = content;
      return {
        ...base,
        transaction: presentTransaction(transaction, account, category),
        memo,
        tags: [...tags],
      };
    }
    case 'trade':
      return { ...base, trade: presentTrade(content.trade, account) };
    case 'holding':
      return { ...base, holding: presentHolding(content.holding, account) };
    default:
      return base;
  }
}

import { type Static, Type } from 'typebox';
import {
  DRY_RUN_ACTIONS,
  type DryRun,
  type DryRunRow,
} from '../../../features/sync-engine/verify/dry-run-result.ts';
import { publicId, type RowId } from '../../../vocabulary/ids.ts';
import { ROW_ID_PATTERN } from '../../../vocabulary/provider-kinds.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import { syncPermit } from '../../admit.ts';
import { type Operation, operation } from '../../operation.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { exampleId } from '../docs/examples.ts';
import { holdingSchema, presentHolding } from '../holdings.ts';
import { idOf, idParams, livemode, nullable, oneOf, pathId, resource } from '../schema/conventions.ts';
import { presentTrade, tradeSchema } from '../trades.ts';
import { presentTransaction, transactionExample, transactionSchema } from '../transactions/resource.ts';

const count = Type.Integer({ minimum: 0 });

const dryRunRow = resource('dry_run_row', {
  object: Type.Literal('dry_run_row'),
  action: oneOf(DRY_RUN_ACTIONS),
  account: idOf('account'),
  id: Type.String({ pattern: ROW_ID_PATTERN }),
  transaction: nullable(transactionSchema),
  trade: nullable(tradeSchema),
  holding: nullable(holdingSchema),
  memo: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  rules: Type.Array(idOf('rule')),
  replaces: nullable(Type.String({ pattern: ROW_ID_PATTERN })),
});

/** docs/dry-runs.md. */
export const dryRunSchema = resource('dry_run', {
  object: Type.Literal('dry_run'),
  sync: idOf('sync'),
  accounts: Type.Array(
    Type.Object(
      {
        account: idOf('account'),
        failure: nullable(
          Type.Object(
            { code: Type.String({ description: 'A code of the error reference.' }) },
            { additionalProperties: false },
          ),
        ),
        added: count,
        updated: count,
        removed: count,
        skipped_by_rules: count,
        unchanged: count,
        unreadable: count,
      },
      { additionalProperties: false },
    ),
  ),
  data: Type.Array(dryRunRow),
  truncated: Type.Boolean(),
  livemode,
});

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
    accounts: accounts.map(
      ({ account, failure, skipped, added, updated, removed, unchanged, unreadable }) => ({
        account: publicId('account', account),
        failure: failure === null ? null : { code: failure },
        added,
        updated,
        removed,
        skipped_by_rules: skipped,
        unchanged,
        unreadable,
      }),
    ),
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

const rowExample: Static<typeof dryRunSchema>['data'][number] = {
  object: 'dry_run_row',
  action: 'add',
  account: exampleId('account'),
  id: transactionExample.id,
  transaction: transactionExample,
  trade: null,
  holding: null,
  memo: null,
  tags: ['coffee'],
  rules: [exampleId('rule')],
  replaces: null,
};

const dryRunExample: Static<typeof dryRunSchema> = {
  object: 'dry_run',
  sync: exampleId('sync'),
  accounts: [
    {
      account: exampleId('account'),
      failure: null,
      added: 1,
      updated: 0,
      removed: 0,
      skipped_by_rules: 0,
      unchanged: 212,
      unreadable: 0,
    },
  ],
  data: [rowExample],
  truncated: false,
  livemode: true,
};

/** Resources of dry runs, by their schema's name. */

export const dryRunsDocs: Readonly<Record<string, ResourceDocs>> = {
  dry_run: {
    description: 'What the next run of a sync would do, compared with what was delivered.',
    fields: {
      accounts:
        'Exact counts of every account, in the order of the sync. unreadable: rows of the bank that could not be read, which the run would reject.',
      data: 'The first rows, account by account; unchanged ones are not listed.',
      truncated: 'Whether there are more rows than those in data.',
    },
    example: dryRunExample,
  },
  dry_run_row: {
    description: 'One row that the next run would deliver, remove, or skip because of a rule.',
    fields: {
      action: 'A run counts update and remove as updated.',
      id: 'The id of the row.',
      transaction: 'As it would be delivered; with skip, as the bank shows it; with remove, null.',
      trade: 'The same for a sync of trades.',
      holding: 'The same for a sync of holdings.',
      rules: 'The rules that acted on the row, in their order.',
      replaces: 'The id under which the destination shows the row now, where that is another.',
    },
    example: rowExample,
  },
};

export const dryRunOperations: readonly Operation[] = [
  operation({
    id: 'dry_run_sync',
    summary: 'Show what the next run of a sync would do; nothing is written',
    docs: {
      description:
        'Reads what the next run would read, passes it through categories and rules, and compares it with what was delivered. Writes nothing, calls no destination and starts no run. An account that cannot be read has a `failure`.',
    },
    method: 'POST',
    path: '/v2/syncs/:id/dry_run',
    scope: 'syncs:read',
    alsoScopes: ['data:read'],
    tier: 'heavy',
    effect: 'reads',
    longest: 'dry_run_seconds',
    params: idParams('sync'),
    response: dryRunSchema,
    errors: [
      'resource_missing',
      'sync_has_no_destination',
      'sync_already_running',
      'professional_required',
      'categories_seed_failed',
    ],
    handle: async ({ params, caller, services, signal }) => {
      const { accountRecord } = caller;
      const id = pathId('sync', params.id);
      const permit = syncPermit(caller, services.clock);
      const dryRun = await services.dryRuns.of(accountRecord.id, id, permit, signal);
      const categoryOf = await services.categoryOf(accountRecord.id);
      return presentDryRun(dryRun, id, categoryOf);
    },
  }),
];

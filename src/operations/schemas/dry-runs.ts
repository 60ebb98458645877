import { Type } from 'typebox';
import { DRY_RUN_ACTIONS } from '../../features/sync-engine/dry-run-result.ts';
import { ROW_ID_PATTERN } from '../../vocabulary/providers.ts';
import { idOf, livemode, nullable, oneOf, resource } from './conventions.ts';
import { holdingSchema } from './holdings.ts';
import { tradeSchema } from './trades.ts';
import { transactionSchema } from './transactions.ts';

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
      },
      { additionalProperties: false },
    ),
  ),
  data: Type.Array(dryRunRow),
  truncated: Type.Boolean(),
  livemode,
});

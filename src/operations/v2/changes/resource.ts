import { type Static, Type } from 'typebox';
import type { ChangePage } from '../../../features/changes/change-pages.ts';
import { SET_ASIDE_LISTED } from '../../../features/provider-gateway/gateway-types.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import type { ResourceDocs } from '../docs/docs.ts';
import { exampleId } from '../docs/examples.ts';
import { day, idOf, livemode, nullable, providerIdOf, resource } from '../schema/conventions.ts';
import { presentSetAside, setAsideSchema } from '../set-aside-rows.ts';
import { presentTransaction, transactionExample, transactionSchema } from '../transactions/resource.ts';

const removedSchema = resource('removed_transaction', {
  id: providerIdOf('transaction'),
  object: Type.Literal('removed_transaction'),
  replaced_by: nullable(providerIdOf('transaction')),
});

/** docs/resources.md#changes. */
export const changesSchema = resource('transaction_changes', {
  object: Type.Literal('transaction_changes'),
  account: idOf('account'),
  from: day,
  added: Type.Array(transactionSchema),
  modified: Type.Array(transactionSchema),
  removed: Type.Array(removedSchema),
  has_more: Type.Boolean(),
  next_cursor: Type.String(),
  set_aside: Type.Array(setAsideSchema, { maxItems: SET_ASIDE_LISTED }),
  livemode,
});

/** `account` is its public id. */
export function presentChanges(page: ChangePage, account: string): Static<typeof changesSchema> {
  const shown = (row: Transaction) => presentTransaction(row, account, page.categoryOf(row));
  return {
    object: 'transaction_changes',
    account,
    from: page.firstDay,
    added: page.added.map(shown),
    modified: page.modified.map(shown),
    removed: page.removed.map(({ id, replacedBy }) => ({
      id,
      object: 'removed_transaction',
      replaced_by: replacedBy,
    })),
    has_more: page.hasMore,
    next_cursor: page.cursor,
    set_aside: presentSetAside(page.setAside),
    livemode: true,
  };
}

const removedExample: Static<typeof removedSchema> = {
  id: 'txn_fk_7e10bf',
  object: 'removed_transaction',
  replaced_by: transactionExample.id,
};

export const changesExample: Static<typeof changesSchema> = {
  object: 'transaction_changes',
  account: exampleId('account'),
  from: '2026-10-20',
  added: [transactionExample],
  modified: [],
  removed: [removedExample],
  has_more: false,
  next_cursor: 'AQdwcmltYXJ5…',
  set_aside: [],
  livemode: true,
};

export const changesDocs: Readonly<Record<string, ResourceDocs>> = {
  transaction_changes: {
    description:
      'How the transactions of an account differ from what a cursor stands for. Delete the removed rows and store the added and modified ones, together with next_cursor.',
    fields: {
      from: 'The first day whose rows are tracked. Rows of earlier days are never reported again.',
      added: 'Rows that you do not have.',
      modified: 'Rows that you have, as they are now.',
      removed: 'Rows that you have and should delete.',
      has_more: 'Whether more changes follow: ask again with next_cursor at once.',
      next_cursor: 'Stands for your rows after these changes. Opaque; works for this account only.',
      set_aside:
        'Rows that could not be read, at most 100 of them; X-Service-Rows-Set-Aside counts them all. What you have of them stays.',
    },
    example: changesExample,
  },
  removed_transaction: {
    description: 'A row to delete.',
    fields: {
      replaced_by:
        'The added row that it became: a pending row that posted, or a row that the bank now lists under another id. Null if the bank no longer has it.',
    },
    example: removedExample,
  },
};

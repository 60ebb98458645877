import { type Static, Type } from 'typebox';
import type { CategoryAssignment } from '../../storage/category-assignments.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../vocabulary/limits.ts';
import { PROVIDER_ID_PATTERNS } from '../../vocabulary/provider-kinds.ts';
import { type Operation, operation } from '../operation.ts';
import { ListRequest, listOf, pagingQuery } from '../paging.ts';
import type { ResourceDocs } from './docs/docs.ts';
import { EXAMPLE_CREATED, exampleId } from './docs/examples.ts';
import { fieldId, idOf, livemode, moment, nullable, resource, timestamp } from './schema/conventions.ts';

const transaction = Type.String({ pattern: PROVIDER_ID_PATTERNS.transaction, maxLength: 300 });

const assignmentSchema = resource('category_assignment', {
  id: idOf('category_assignment'),
  object: Type.Literal('category_assignment'),
  account: idOf('account'),
  transaction,
  category: idOf('category'),
  livemode,
  created: timestamp,
});

const changeSchema = resource('category_change', {
  object: Type.Literal('category_change'),
  account: idOf('account'),
  category: nullable(idOf('category')),
  transactions: Type.Array(
    Type.Object({ transaction, previous: nullable(idOf('category')) }, { additionalProperties: false }),
  ),
  livemode,
});

const EXAMPLE_TRANSACTION = 'txn_fk_tx_81';
const example: Static<typeof assignmentSchema> = {
  id: exampleId('category_assignment'),
  object: 'category_assignment',
  account: exampleId('account'),
  transaction: EXAMPLE_TRANSACTION,
  category: exampleId('category', 2),
  livemode: true,
  created: EXAMPLE_CREATED,
};
const changeExample: Static<typeof changeSchema> = {
  object: 'category_change',
  account: exampleId('account'),
  category: exampleId('category', 2),
  transactions: [{ transaction: EXAMPLE_TRANSACTION, previous: null }],
  livemode: true,
};

export const categoryAssignmentsDocs: Readonly<Record<string, ResourceDocs>> = {
  category_assignment: {
    description: 'The category that a person gave to one transaction, whatever its code leads to.',
    fields: { transaction: 'Its id. The transaction itself is not stored.' },
    example,
  },
  category_change: {
    description: 'What transactions were given, and what they had been given before.',
    fields: {
      category: 'null if what was given was taken back.',
      transactions: 'Each with the category it had been given before; null if the claims of codes decided.',
    },
    example: changeExample,
  },
};

const path = '/v2/category_assignments';

function presented(row: CategoryAssignment): Static<typeof assignmentSchema> {
  return {
    id: publicId('category_assignment', row.id),
    object: 'category_assignment',
    account: publicId('account', row.account),
    transaction: row.row_id,
    category: publicId('category', row.category),
    livemode: true,
    created: moment(row.created),
  };
}

/** docs/categories.md#single-transactions. */
export const categoryAssignmentOperations: readonly Operation[] = [
  operation({
    id: 'list_category_assignments',
    summary: 'List transactions with a category of their own',
    method: 'GET',
    path,
    scope: 'categories:read',
    tier: 'cheap',
    query: Type.Object(pagingQuery),
    response: listOf(assignmentSchema),
    handle: async (request) => {
      const paging = new ListRequest(request, 'list_category_assignments', path, request.query);
      const { caller, services } = request;
      const page = await services.categoryAssignments.list(caller.accountRecord.id, paging.pageRequest);
      return paging.envelope(page, presented);
    },
  }),
  operation({
    id: 'assign_category',
    summary: 'Give single transactions a category of their own',
    docs: {
      description:
        'Other transactions with the same code keep theirs. A pending transaction has another id once it has posted, and then resolves by its code again.',
      sent: {
        transactions: 'Ids of transactions of the account. The bank is not asked whether they exist.',
        category: 'A category; null takes back what was given, so that the claims of codes decide again.',
      },
      body: {
        account: changeExample.account,
        transactions: [EXAMPLE_TRANSACTION],
        category: changeExample.category,
      },
    },
    method: 'POST',
    path,
    scope: 'categories:write',
    tier: 'mutating',
    status: 200,
    body: Type.Object({
      account: idOf('account'),
      transactions: Type.Array(transaction, {
        minItems: 1,
        maxItems: FIXED_LIMITS.assigned_transactions,
      }),
      category: nullable(idOf('category')),
    }),
    response: changeSchema,
    errors: ['resource_missing', 'category_is_group'],
    handle: async ({ body, caller, services }) => {
      const { account, category, transactions } = body;
      const before = await services.categoryAssignments.assign(caller.accountRecord.id, {
        account: fieldId('account', account, 'account'),
        transactions,
        category: category === null ? null : fieldId('category', category, 'category'),
      });
      return {
        object: 'category_change' as const,
        account,
        category,
        transactions: [...before].map(([id, previous]) => ({
          transaction: id,
          previous: previous === null ? null : publicId('category', previous),
        })),
        livemode: true as const,
      };
    },
  }),
];

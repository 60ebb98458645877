import { Type } from 'typebox';
import type { ChangePage } from '../../../features/changes/change-pages.ts';
import { ERROR_CODES } from '../../../vocabulary/error-codes.ts';
import { type Operation, operation } from '../../operation.ts';
import { ACCOUNT_READ_ERRORS } from '../../read-errors.ts';
import { limited, refusedAs } from '../schema/bounds.ts';
import { fieldId, idOf } from '../schema/conventions.ts';
import { announceSetAside } from '../set-aside-rows.ts';
import { changesSchema, presentChanges } from './resource.ts';

/** The most months that LIMIT_HISTORY_MONTHS can allow, in days. */
const MOST_DAYS = 37_200;
/** Far longer than a cursor under a key with the longest name. */
const CURSOR_CHARACTERS = 1000;

export const changeOperations: readonly Operation[] = [
  operation({
    id: 'list_changes',
    summary: 'What changed in the transactions of an account since a cursor',
    docs: {
      description:
        'Without `cursor`: everything of the last `days` days, as added. Repeat with `next_cursor` while `has_more`, and with the last one whenever you want to know what changed since. A cursor may be repeated after a lost answer. Store rows and cursor together: an earlier cursor stands for the rows that you had when you got it, so going back to it means going back to those rows. `days` and `include_pending` belong to the request without `cursor`.',
    },
    method: 'GET',
    path: '/v2/changes',
    scope: 'data:read',
    tier: 'heavy',
    query: Type.Object({
      account: idOf('account', 'The account, acct_….'),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: CURSOR_CHARACTERS,
          description: 'The next_cursor of an earlier answer about this account.',
          ...refusedAs('cursor_invalid', ERROR_CODES.cursor_invalid.message),
        }),
      ),
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST_DAYS,
          description: 'How many days before today the feed begins; 30 when absent.',
        }),
      ),
      include_pending: Type.Optional(
        Type.Boolean({ description: 'Whether pending rows are among them; false when absent.' }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          ...limited({ maximum: 'change_page_rows' }),
          description: 'Changes an answer; the maximum when absent.',
        }),
      ),
    }),
    response: changesSchema,
    errors: [
      ...ACCOUNT_READ_ERRORS,
      'cursor_invalid',
      'cursor_expired',
      'from_too_old',
      'categories_seed_failed',
    ],
    handle: async (request) => {
      const { caller, services, query, signal, mostCharacters: most } = request;
      const of = (page: ChangePage): number => JSON.stringify(presentChanges(page, query.account)).length;
      const asked = {
        account: fieldId('account', query.account, 'account'),
        cursor: query.cursor ?? null,
        days: query.days ?? null,
        includePending: query.include_pending ?? null,
        limit: query.limit ?? services.limits.change_page_rows,
        size: most === null ? null : { most, of },
      };
      const page = await services.changes.page(caller.accountRecord.id, asked, signal);
      announceSetAside(request, page.setAside);
      if (page.truncated) request.header('x-service-truncated', 'true');
      return presentChanges(page, query.account);
    },
  }),
];

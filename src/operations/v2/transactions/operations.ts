import { Type } from 'typebox';
import type { TransactionList, TransactionQuery } from '../../../features/reads/account-reads.ts';
import { pageOfRows } from '../../../features/reads/transaction-window.ts';
import { ERROR_CODES, type ErrorCode } from '../../../vocabulary/error-codes.ts';
import { type OwnerId, publicId, type RowId } from '../../../vocabulary/ids.ts';
import { invalidParameter, ServiceError } from '../../../vocabulary/service-error.ts';
import { placeOf, type TransactionPlace } from '../../../vocabulary/transactions.ts';
import { type Operation, operation } from '../../operation.ts';
import type { JsonText, OperationRequest } from '../../operation-request.ts';
import { ListRequest, PageCache, pagingQuery } from '../../paging.ts';
import { ACCOUNT_READ_ERRORS } from '../../read-errors.ts';
import { refusedAs } from '../schema/bounds.ts';
import { dayWindow, fieldId, idOf, providerIdOf } from '../schema/conventions.ts';
import { announceSetAside, bankListOf, presentSetAside } from '../set-aside-rows.ts';
import { presentTransaction, transactionSchema, writeTransaction } from './resource.ts';

const path = '/v2/transactions';
const scope = 'data:read';

const account = idOf('account', 'The account, acct_….');
const days = { from: Type.Optional(dayWindow.from), to: Type.Optional(dayWindow.to) };
const rowParams = Type.Object({
  id: providerIdOf(
    'transaction',
    refusedAs('transaction_not_found', ERROR_CODES.transaction_not_found.message),
  ),
});

/** What a read of transactions can answer. */
export const readErrors: readonly ErrorCode[] = [
  ...ACCOUNT_READ_ERRORS,
  'invalid_date_range',
  'from_too_old',
  'categories_seed_failed',
];

export const transactionOperations: readonly Operation[] = [
  operation({
    id: 'list_transactions',
    summary: 'List transactions of a banking account, newest first',
    docs: {
      description:
        '`account` is required, unless `page` brings it along. Without dates: the last 30 days. Beyond 5,000 rows the answer carries `X-Service-Truncated: true`: narrow `from` and `to`.',
    },
    method: 'GET',
    path,
    scope,
    tier: 'heavy',
    query: Type.Object({
      ...pagingQuery,
      ...days,
      // Checked by hand: a page token alone brings its account along.
      account: Type.Optional(account),
      include_pending: Type.Optional(Type.Boolean({ default: false })),
    }),
    response: bankListOf(transactionSchema),
    errors: [...readErrors, 'parameter_missing'],
    handle: async (request) => {
      const { caller, services, signal } = request;
      const asked = askedOf(request);
      const list = await services.accountReads.transactions(caller.accountRecord.id, asked.query, signal);
      return pageOf(request, asked, list);
    },
    handleAtOnce: (request) => {
      const { caller, services } = request;
      const asked = askedBefore(request);
      if (asked === null) return null;
      const list = services.accountReads.transactionsAtOnce(caller.accountRecord.id, asked.query);
      return list === null ? null : pageOf(request, asked, list);
    },
  }),
  operation({
    id: 'get_transaction',
    summary: 'Find one transaction of an account by its id',
    docs: {
      description: 'Searches the window from `from` to `to`, the last 30 days without them.',
    },
    method: 'GET',
    path: `${path}/:id`,
    scope,
    tier: 'heavy',
    params: rowParams,
    query: Type.Object({ account, ...days }),
    response: transactionSchema,
    errors: [...readErrors, 'transaction_not_found', 'transaction_search_incomplete'],
    handle: async ({ params, query, caller, services, signal }) => {
      const id = fieldId('account', query.account, 'account');
      const { row, categoryOf } = await services.accountReads.transaction(
        caller.accountRecord.id,
        params.id,
        { account: id, from: query.from ?? null, to: query.to ?? null },
        signal,
      );
      return presentTransaction(row, publicId('account', id), categoryOf(row));
    },
  }),
];

const pages = new PageCache();

type ListQuery = Readonly<Record<string, unknown>>;
type ListCall = OperationRequest<unknown, ListQuery, unknown>;

/** What a request asks for. */
interface AskedList {
  readonly owner: OwnerId;
  readonly paging: ListRequest;
  readonly query: TransactionQuery;
  readonly place: TransactionPlace | null;
  /** Names everything that shapes the page, besides its rows. */
  readonly key: string;
}

/** Raises `parameter_missing`, `resource_missing`, `page_invalid` and `page_filters_changed`. */
function askedOf(request: ListCall): AskedList {
  const owner = request.caller.accountRecord.id;
  const paging = new ListRequest(request, 'list_transactions', path, request.query);
  const named = paging.filter('account');
  if (named === undefined) {
    throw new ServiceError('parameter_missing', { param: 'account', message: 'account is required.' });
  }
  const id = fieldId('account', named, 'account');
  const place = placeIn(paging);
  const query = {
    account: id,
    // The window of the first page, so that its defaults do not move from page to page.
    from: place?.from ?? paging.filter('from') ?? null,
    to: place?.to ?? paging.filter('to') ?? null,
    begun: place !== null,
    includePending: paging.filter('include_pending') === 'true',
  };
  const key = JSON.stringify([owner, paging.limit, paging.filters, paging.token]);
  return { owner, paging, query, place: place?.at ?? null, key };
}

const asked = new WeakMap<object, AskedList>();

/** The same for a query that may have been asked before; null for one that continues a list. */
function askedBefore(request: ListCall): AskedList | null {
  const { caller, query } = request;
  if (query.page !== undefined) return null;
  const known = asked.get(query);
  if (known?.owner === caller.accountRecord.id) return known;
  const found = askedOf(request);
  asked.set(query, found);
  return found;
}

function pageOf(
  request: ListCall,
  { paging, query, place, key }: AskedList,
  list: TransactionList,
): JsonText {
  announceSetAside(request, list.setAside);
  if (list.truncated) request.header('x-service-truncated', 'true');
  return pages.json(list.rows, list.categoryOf, key, () => writePage(paging, query.account, list, place));
}

function writePage(
  paging: ListRequest,
  id: RowId<'account'>,
  list: TransactionList,
  place: TransactionPlace | null,
): string {
  const backwards = paging.token?.direction === 'previous';
  const page = pageOfRows(list.rows, {
    limit: paging.limit,
    after: backwards ? null : place,
    before: backwards ? place : null,
  });
  const shownAccount = publicId('account', id);
  const rows = page.rows.map((row) => writeTransaction(row, shownAccount, list.categoryOf(row)));
  const first = page.rows[0];
  const last = page.rows.at(-1);
  const next = page.hasOlder && last !== undefined ? paging.url('next', position(placeOf(last), list)) : null;
  const previous =
    page.hasNewer && first !== undefined ? paging.url('previous', position(placeOf(first), list)) : null;
  const urls = `"next_page_url":${JSON.stringify(next)},"previous_page_url":${JSON.stringify(previous)}`;
  const aside = JSON.stringify(presentSetAside(list.setAside));
  return `{"object":"list","data":[${rows.join(',')}],${urls},"set_aside":${aside}}`;
}

interface ListPlace {
  readonly at: TransactionPlace;
  readonly from: string;
  readonly to: string;
}

function position(place: TransactionPlace, window: { from: string; to: string }): string[] {
  return [place.day, String(place.at), place.id, window.from, window.to];
}

function placeIn(paging: ListRequest): ListPlace | null {
  if (paging.token === null) return null;
  const [day, at, id, from, to] = paging.token.position;
  if (day == null || at == null || id == null || from == null || to == null) {
    throw invalidParameter('page', 'page is not a token of this list.');
  }
  return { at: { day, at: Number(at), id }, from, to };
}

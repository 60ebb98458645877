import type { CachedRead } from '../../features/provider-gateway/gateway-types.ts';
import type { RememberedAccount } from '../../features/reads/account-cache.ts';
import { requireCategory } from '../../features/reads/account-category.ts';
import type { ConnectionWindow } from '../../features/reads/account-reads.ts';
import { SharedDeadline } from '../../features/reads/reads-at-once.ts';
import type { LocalDate } from '../../vocabulary/moments.ts';
import { WITH_TRANSACTIONS } from '../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import {
  comparePlaces,
  placeOf,
  type Transaction,
  type TransactionPlace,
} from '../../vocabulary/transactions.ts';
import { cacheOf, type V1Answer } from '../v1/endpoint.ts';
import { v1Id } from '../v1/ids.ts';
import { pagesFor, USUAL_ROWS } from '../v1/paging.ts';
import { presentTransaction } from '../v1/transactions.ts';
import type { ToolContext } from './tool.ts';

interface Asked {
  readonly connectionId: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

interface Row {
  readonly row: Transaction;
  readonly place: TransactionPlace;
  readonly account: RememberedAccount;
  readonly today: LocalDate;
}

/**
 * The posted transactions of every account of a connection, newest first: what v1 no longer serves and MCP still does,
 * though it is deprecated (docs/mcp.md#the-six-tools). One account is read after the other, all within the deadline of
 * one read, and no more rows are held than one account may have in an answer. Raises what a read of one account raises.
 */
export async function connectionTransactions(asked: Asked, context: ToolContext): Promise<V1Answer<unknown>> {
  const { limit = USUAL_ROWS, offset = 0 } = asked;
  const most = Math.min(offset + limit, context.services.limits.transaction_rows);
  const reads: CachedRead<unknown>[] = [];
  let newest: readonly Row[] = [];
  let total = 0;
  let truncated = false;
  for await (const { account, today, read } of windowsOf(asked, pagesFor(offset + limit), context)) {
    const { rows } = read.value;
    total += rows.length;
    truncated ||= read.value.truncated;
    reads.push(read);
    const placed = rows.slice(0, most).map((row) => ({ row, place: placeOf(row), account, today }));
    newest = [...newest, ...placed].sort((a, b) => comparePlaces(a.place, b.place)).slice(0, most);
  }
  const data = newest
    .slice(offset, offset + limit)
    .map(({ row, account, today }) => presentTransaction(row, account, today));
  // Beyond the ceiling no one can ask on: a narrower window shows what is there.
  const hasMore = truncated || offset + limit < total;
  return { body: { data, pagination: { total, limit, offset, hasMore } }, cache: cacheOf(reads), truncated };
}

async function* windowsOf(
  { connectionId, from, to }: Asked,
  pages: number,
  { caller, services, signal }: ToolContext,
): AsyncIterable<ConnectionWindow> {
  const owner = caller.accountRecord.id;
  const connection = v1Id('connection', connectionId, 'connection');
  const accounts = await services.accounts.ofConnection(owner, connection, null, ({ provider }) =>
    requireCategory(provider, { categories: WITH_TRANSACTIONS, what: 'Transactions', param: 'connection' }),
  );
  const deadline = new SharedDeadline(services, signal());
  try {
    for (const { id: account } of accounts) {
      const window = {
        connection,
        account,
        from: from ?? null,
        to: to ?? null,
        includePending: false,
        pages,
      };
      const found = await services.accountReads
        .windowOf(owner, window, () => deadline.signal)
        .catch(skipGone);
      if (found !== null) yield found;
    }
  } finally {
    deadline.end();
  }
}

/** An account that the bank has stopped listing has no rows; a caller who names it hears so. */
function skipGone(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'account_unavailable') return null;
  throw error;
}

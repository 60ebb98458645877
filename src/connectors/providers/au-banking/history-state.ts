import { parseInstant } from '../../../vocabulary/moments.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { ErrorAnswer } from '../kit/failures.ts';
import type { WireObject } from '../kit/json.ts';
import { text } from '../kit/members.ts';
import type { HistoryState } from '../provider-contract.ts';
import type { AuBankingClient } from './client.ts';
import type { EndUserConsent } from './link.ts';
import { arrangementOf } from './map-account.ts';
import { wireRows } from './paging.ts';

const PATH = '/v1/data-freshness';
/** The data set that holds a whole history; `banking.transactions.recent` is its last 90 days. */
const WHOLE_HISTORY = 'banking.transactions';
const DONE: ReadonlySet<string> = new Set(['COMPLETED', 'COMPLETE']);
const UNDER_WAY: ReadonlySet<string> = new Set(['IN_PROGRESS', 'PENDING', 'SYNCING']);
/** Older releases of the vendor's API do not know the path; some gateways refuse what they do not know. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 403, 404, 405, 501]);

/**
 * Whether the vendor has copied the account's whole history. The path is published (release 3.2.0), the body is not
 * among the contracts we hold: what we do not understand is `unknown`, never `complete`
 * (docs/decisions/0010-whole-history-and-sweeps.md).
 */
export async function readHistoryState(
  client: AuBankingClient,
  grant: EndUserConsent,
  account: string,
  signal: AbortSignal,
): Promise<HistoryState> {
  const read = { path: PATH, plural: 'data_freshness', query: { end_user_id: grant.customer } };
  try {
    return historyState(await wireRows(client, read, signal), grant, account);
  } catch (error) {
    if (isNotOffered(error)) return 'unknown';
    throw error;
  }
}

/** Another shape than ours is no failure of the vendor: the breaker must not hear of it. */
function isNotOffered(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure) || error.situation === 'grant_rejected') return false;
  return error.situation === 'malformed' || (error instanceof ErrorAnswer && NOT_OFFERED.has(error.status));
}

/** What the rows of an answer say of one account: `complete` only when all that concern it do. */
export function historyState(
  rows: readonly WireObject[],
  grant: Pick<EndUserConsent, 'consent'>,
  account: string,
): HistoryState {
  const states = rows.filter((row) => concerns(row, grant, account)).map(stateOf);
  if (states.includes('loading')) return 'loading';
  return states.length > 0 && states.every((state) => state === 'complete') ? 'complete' : 'unknown';
}

function concerns(row: WireObject, { consent }: Pick<EndUserConsent, 'consent'>, account: string): boolean {
  return (
    text(row, 'data_type', 'dataType') === WHOLE_HISTORY &&
    (arrangementOf(row) ?? consent) === consent &&
    (text(row, 'account_id', 'accountId') ?? account) === account
  );
}

function stateOf(row: WireObject): HistoryState {
  const status = text(row, 'status')?.toUpperCase() ?? null;
  if (status !== null && UNDER_WAY.has(status)) return 'loading';
  if (status !== null && !DONE.has(status)) return 'unknown';
  const syncedAt = text(row, 'last_synced_at', 'lastSyncedAt');
  if (syncedAt === null) return 'unknown';
  return parseInstant(syncedAt) === null ? 'unknown' : 'complete';
}

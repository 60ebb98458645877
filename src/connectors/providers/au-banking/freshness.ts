import { parseInstant } from '../../../vocabulary/moments.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { text, type WireObject } from '../kit/json.ts';
import { ErrorAnswer } from '../kit/vendor-calls.ts';
import type { HistoryState } from '../provider-contract.ts';
import { type AuBankingClient, type EndUserConsent, isOfConsent, wireRows } from './client.ts';

const PATH = '/v1/data-freshness';
/** Older releases of the vendor's API do not know the path; some gateways refuse unknown paths. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 403, 404, 405, 501]);
/** The data set that holds a whole history; `banking.transactions.recent` is its last 90 days. */
const WHOLE_HISTORY = 'banking.transactions';
const DONE: ReadonlySet<string> = new Set(['COMPLETED', 'COMPLETE']);
const UNDER_WAY: ReadonlySet<string> = new Set(['IN_PROGRESS', 'PENDING', 'SYNCING']);

/**
 * What the vendor says about its copies of the consent's data; null if it says nothing that we understand. The path is
 * published (release 3.2.0), the form of its body is not (docs/decisions/0010-whole-history-and-sweeps.md).
 */
export async function readFreshness(
  client: AuBankingClient,
  grant: Pick<EndUserConsent, 'consent' | 'customer'>,
  signal: AbortSignal,
): Promise<WireObject[] | null> {
  const read = { path: PATH, plural: 'data_freshness', query: { end_user_id: grant.customer } };
  try {
    const rows = await wireRows(client, read, signal);
    return rows.filter((row) => isOfConsent(row, grant));
  } catch (error) {
    if (isNotOffered(error)) return null;
    throw error;
  }
}

/** An unknown form is not a failure of the vendor: it must not count for the breaker. */
function isNotOffered(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure) || error.situation === 'grant_rejected') return false;
  return error.situation === 'malformed' || (error instanceof ErrorAnswer && NOT_OFFERED.has(error.status));
}

/** When the row's data was last copied from the bank. Epoch ms, or null. */
export function syncedAt(row: WireObject): number | null {
  const sent = text(row, 'last_synced_at', 'lastSyncedAt');
  return sent === null ? null : parseInstant(sent);
}

/** Whether a row is about the account: one that names none is about all accounts of the consent. */
export function isAbout(row: WireObject, account: string): boolean {
  return (text(row, 'account_id', 'accountId') ?? account) === account;
}

/** When any data of the account was last copied from the bank. Epoch ms, or null if the vendor does not say. */
export function refreshedAt(rows: readonly WireObject[], account: string): number | null {
  let latest: number | null = null;
  for (const row of rows) {
    const at = isAbout(row, account) ? syncedAt(row) : null;
    if (at !== null && (latest === null || at > latest)) latest = at;
  }
  return latest;
}

/** Whether the vendor has copied the account's whole history. Anything unrecognised is `unknown`, never `complete`. */
export async function readHistoryState(
  client: AuBankingClient,
  grant: EndUserConsent,
  account: string,
  signal: AbortSignal,
): Promise<HistoryState> {
  const rows = await readFreshness(client, grant, signal);
  return rows === null ? 'unknown' : historyState(rows, grant, account);
}

/** What the rows of an answer say about one account: `complete` only if all rows about it do. */
export function historyState(
  rows: readonly WireObject[],
  grant: Pick<EndUserConsent, 'consent'>,
  account: string,
): HistoryState {
  const states = rows.filter((row) => concerns(row, grant, account)).map(stateOf);
  if (states.includes('loading')) return 'loading';
  return states.length > 0 && states.every((state) => state === 'complete') ? 'complete' : 'unknown';
}

function concerns(row: WireObject, grant: Pick<EndUserConsent, 'consent'>, account: string): boolean {
  return (
    text(row, 'data_type', 'dataType') === WHOLE_HISTORY && isOfConsent(row, grant) && isAbout(row, account)
  );
}

function stateOf(row: WireObject): HistoryState {
  const status = text(row, 'status')?.toUpperCase() ?? null;
  if (status !== null && UNDER_WAY.has(status)) return 'loading';
  if (status !== null && !DONE.has(status)) return 'unknown';
  return syncedAt(row) === null ? 'unknown' : 'complete';
}

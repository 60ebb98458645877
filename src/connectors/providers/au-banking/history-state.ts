import type { WireObject } from '../kit/json.ts';
import { text } from '../kit/members.ts';
import type { HistoryState } from '../provider-contract.ts';
import type { AuBankingClient } from './client.ts';
import { isAbout, readFreshness, syncedAt } from './freshness.ts';
import type { EndUserConsent } from './linking.ts';
import { arrangementOf } from './map-account.ts';

/** The data set that holds a whole history; `banking.transactions.recent` is its last 90 days. */
const WHOLE_HISTORY = 'banking.transactions';
const DONE: ReadonlySet<string> = new Set(['COMPLETED', 'COMPLETE']);
const UNDER_WAY: ReadonlySet<string> = new Set(['IN_PROGRESS', 'PENDING', 'SYNCING']);

/** Whether the vendor has copied the account's whole history. What we do not understand is `unknown`, never `complete`. */
export async function readHistoryState(
  client: AuBankingClient,
  grant: EndUserConsent,
  account: string,
  signal: AbortSignal,
): Promise<HistoryState> {
  const rows = await readFreshness(client, grant, signal);
  return rows === null ? 'unknown' : historyState(rows, grant, account);
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
    isAbout(row, account)
  );
}

function stateOf(row: WireObject): HistoryState {
  const status = text(row, 'status')?.toUpperCase() ?? null;
  if (status !== null && UNDER_WAY.has(status)) return 'loading';
  if (status !== null && !DONE.has(status)) return 'unknown';
  return syncedAt(row) === null ? 'unknown' : 'complete';
}

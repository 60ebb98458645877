import type { Connection } from '#client';
import { api } from './client.ts';
import { eventReads } from './event-reads.ts';

/** As many as one request may name (`balance_accounts`, docs/limits.md). */
const MOST_BALANCES = 100;

export type RefreshedBank = Awaited<ReturnType<typeof refreshBank>>;

/** Asks the bank again, unless it was asked a moment ago, and starts the syncs that read it. */
export async function refreshBank(connection: Connection) {
  const { id } = connection;
  const { data: runs, reads } = await api.connections.refresh({ id });
  eventReads.awaitFetch(id);
  return { runs: runs.length, reads, balances: reads.purged ? await readBalances(connection) : null };
}

/** Reads the balances at the bank, which other pages then find in the cache; null if there are none to read. */
async function readBalances({ accounts }: Connection): Promise<{ read: number; all: number } | null> {
  const ids = (accounts ?? [])
    .filter(({ category, status }) => category === 'banking' && status === 'available')
    .map((account) => account.id)
    .slice(0, MOST_BALANCES);
  if (ids.length === 0) return null;
  // Where they cannot be read, the pages that show them say why.
  const read = await api.balances
    .list({ account: ids })
    .all()
    .catch(() => []);
  return { read: read.filter(({ freshness }) => freshness !== 'unavailable').length, all: ids.length };
}

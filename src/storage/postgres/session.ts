import pg from 'pg';
import { StoreUnavailableError } from '../../vocabulary/store-unavailable.ts';
import type { DestroyableClient } from './destroyable-client.ts';

/** in_failed_sql_transaction: the server now accepts only the end of the transaction, which needs no time. */
const FAILED_TRANSACTION = '25P02';

export const ONLY_READS = 'the server takes only reads, as a standby does';

/** A transaction abandoned on a dead connection must not hold its locks until the server notices on its own. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * Settings of every connection. The server ends what its client has abandoned: the statement (statement_timeout), the
 * transaction, and, by keep-alive, the connection. Settings that the server does not know are left out, so that
 * compatible servers work as well; they are sent as statements and not as start-up parameters, which poolers refuse.
 */
export async function setUpSession(client: DestroyableClient, statementTimeoutMs: number): Promise<void> {
  const wanted = {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    tcp_keepalives_idle: 30,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 4,
  };
  await client.query(
    `select set_config(setting.name, wanted.value, false)
       from unnest($1::text[], $2::text[]) as wanted (name, value) join pg_settings setting using (name)`,
    [Object.keys(wanted), Object.values(wanted).map(String)],
  );
  client.statementTimeoutMs = statementTimeoutMs;
}

/**
 * Raises StoreUnavailableError for a server that takes no writes: after a failover an address may lead to a standby, and
 * what a standby says may be out of date.
 */
export async function requireWritable(client: DestroyableClient): Promise<void> {
  const { rows } = await client.query<{ only_reads: string }>(
    "select current_setting('transaction_read_only') as only_reads",
  );
  if (rows[0]?.only_reads === 'on') throw new StoreUnavailableError(ONLY_READS);
}

/** For a statement whose deadline differs from that of the previous one on this connection. */
export async function setStatementTimeout(client: DestroyableClient, ms: number): Promise<void> {
  if (client.statementTimeoutMs === ms) return;
  try {
    await client.query(`set statement_timeout = ${Math.trunc(ms)}`);
    client.statementTimeoutMs = ms;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === FAILED_TRANSACTION)) throw error;
  }
}

/** A rollback undoes what was set within the transaction, so it is set again before the next statement. */
export function forgetStatementTimeout(client: DestroyableClient, text: string): void {
  if (/^\s*rollback\b/i.test(text)) client.statementTimeoutMs = null;
}

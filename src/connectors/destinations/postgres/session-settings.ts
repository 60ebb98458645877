/** How long is waited for an owner's server (docs/destination-services.md#postgres), in milliseconds. */
export interface DatabaseWaits {
  /** For one statement, by the server itself. */
  readonly statementMs: number;
  /** For the answer to a statement, after the server should have ended it: then the connection is dead. */
  readonly graceMs: number;
  /** For a lock that somebody else holds. */
  readonly lockMs: number;
  /** For a whole transaction, however many statements it has. */
  readonly transactionMs: number;
}

export const DATABASE_WAITS: DatabaseWaits = {
  statementMs: 60_000,
  graceMs: 5_000,
  lockMs: 15_000,
  transactionMs: 600_000,
};

/** What a transaction is set to: what the server gives up by itself, and how it writes and reads values. */
export function settingsOf({ statementMs, lockMs }: DatabaseWaits): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(statementMs),
    lock_timeout: String(lockMs),
    idle_in_transaction_session_timeout: String(statementMs),
    DateStyle: 'ISO, YMD',
    TimeZone: 'UTC',
    // With fewer, an amount in a column of binary fractions is shown rounded.
    extra_float_digits: '1',
  };
}

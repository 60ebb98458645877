import type { Config } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import { type EmbeddedOptions, EmbeddedPostgres } from '../storage/embedded/embedded-postgres.ts';

/** How the configuration wants the database opened; it says in the log when the database goes away and comes back. */
export function databaseOptions(config: Config, log: Log): EmbeddedOptions {
  return {
    statementMs: config.limits.statement_deadline_ms,
    onAvailability: (reason) => {
      if (reason === null) log.info('Database reachable again.');
      else log.error('Database unreachable; requests are answered with 503 until it is back.', {}, reason);
    },
  };
}

/**
 * The embedded database on its way: it opens in its thread while this one loads the program, which takes as long.
 * Imports nothing of what is loaded meanwhile.
 */
export class EarlyDatabase {
  readonly #opening: Promise<EmbeddedPostgres>;
  #taken = false;

  private constructor(opening: Promise<EmbeddedPostgres>) {
    this.#opening = opening;
    // Nothing takes it if another part fails before.
    opening.catch(() => undefined);
  }

  /**
   * Null if the configuration has another database. The caller has the lock of the data directory.
   *
   * @param brief whether it is for a few statements only
   */
  static begin(config: Config, log: Log, brief = false): EarlyDatabase | null {
    if (config.databaseUrl !== null) return null;
    const options = { ...databaseOptions(config, log), brief };
    return new EarlyDatabase(EmbeddedPostgres.openIn(config.dataDir, options));
  }

  /** For what builds the service, which then closes it. */
  take(): Promise<EmbeddedPostgres> {
    this.#taken = true;
    return this.#opening;
  }

  /** Closes it unless it was taken. */
  async abandon(): Promise<void> {
    if (this.#taken) return;
    const opened = await this.#opening.catch(() => null);
    await opened?.close();
  }
}

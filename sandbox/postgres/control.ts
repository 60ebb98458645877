import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { ReceivedRow, ReceivedRows } from '../shared/simulator.ts';
import type { Cluster, ShownTable } from './cluster.ts';
import { tablePath } from './pages.ts';

/** What may be done to the simulated server. */
export class PostgresControl extends SimulatorControl implements ReceivedRows {
  readonly #cluster: Cluster;
  password: string;

  constructor(parts: {
    readonly cluster: Cluster;
    readonly faults: Faults;
    readonly log: RequestLog;
    readonly password: string;
  }) {
    super(parts.faults, parts.log);
    this.#cluster = parts.cluster;
    this.password = parts.password;
  }

  /** Runs statements with all rights, like a person who changes a table or revokes a right. */
  async execute(sql: string): Promise<void> {
    await this.#cluster.execute(sql).catch((error: unknown) => {
      throw new ControlError(error instanceof Error ? error.message : 'The statement failed.');
    });
  }

  /** Every table that was written to, snapshots as well. */
  tables(): readonly ShownTable[] {
    return this.#cluster.tables;
  }

  rows(): readonly ReceivedRow[] {
    return this.#cluster.rows();
  }

  pages(): readonly string[] {
    return ['/', ...this.#cluster.tables.filter(({ rows }) => rows.length > 0).map(tablePath)];
  }
}

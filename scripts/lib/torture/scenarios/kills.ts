import { createServerDatabase } from '../../../../test/support/database.ts';
import type { TorturedProvider } from '../banks.ts';
import { torture } from '../kills.ts';
import type { Outcome, Scenario } from '../outcome.ts';

async function kills(
  rows: number,
  count: number,
  databaseUrl: string | null,
  provider: TorturedProvider = 'au_banking',
): Promise<Outcome> {
  const result = await torture({
    provider,
    rows,
    kills: count,
    seed: Math.floor(Math.random() * 1e9),
    databaseUrl,
    onProgress: () => undefined,
  });
  return {
    faults: count,
    lost: result.lost,
    doubled: result.duplicates + Math.abs(result.rows_counted - result.rows_at_bank),
    stuck: result.run_status === 'succeeded' ? 0 : 1,
    errors: 0,
    recoverySeconds: result.longest_start_ms / 1000,
    remarks: [`seed ${result.seed}`],
  };
}

/** SIGKILL at random moments of a sync. */
export const killsOnEmbedded: Scenario = {
  name: 'kills, embedded',
  missing: () => null,
  run: (_machine, scale) => kills(Math.ceil(6000 * scale), Math.ceil(12 * scale), null),
};

/** The same with the rows of the other providers. */
export const killsOfOtherBanks: readonly Scenario[] = (
  ['nz_banking', 'up_bank', 'simplefin', 'enable_banking', 'brokerage'] as const
).map((provider) => ({
  name: `kills, embedded, ${provider}`,
  missing: () => null,
  run: (_machine, scale) => kills(Math.ceil(3000 * scale), Math.ceil(6 * scale), null, provider),
}));

export const killsOnPostgres: Scenario = {
  name: 'kills, Postgres',
  missing: ({ postgresUrl }) => (postgresUrl === null ? 'DATABASE_URL is not set' : null),
  run: async (_machine, scale) => {
    const database = await createServerDatabase();
    try {
      // Each kill waits for the dead worker's lease to end.
      return await kills(Math.ceil(2000 * scale), Math.ceil(3 * scale), database?.url ?? null);
    } finally {
      await database?.drop();
    }
  },
};

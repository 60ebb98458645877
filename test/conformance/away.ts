import { sql } from 'kysely';
import pg from 'pg';
import { startService, type TestOwner, type TestService } from '../support/service.ts';

/** A service whose database does not answer in time, and someone with a key at it. */
export interface AwayStage {
  readonly owner: Pick<TestOwner, 'v2'>;
  close(): Promise<void>;
}

/** Short, because every request waits for it; longer on a machine so busy that the service cannot start with it. */
const DEADLINES_MS = [300, 1000, 3000, 10_000];

/**
 * Another transaction holds what every request needs: the embedded database's one connection, or on a server the keys.
 */
export async function openAway(): Promise<AwayStage> {
  const { service, owner } = await startInTime();
  const { databaseUrl } = service.app.config;
  const release =
    databaseUrl === null ? await holdConnection(service.app.database.db) : await holdKeys(databaseUrl);
  return {
    owner,
    close: async () => {
      await release();
      await service.close();
    },
  };
}

async function startInTime(): Promise<{ service: TestService; owner: TestOwner }> {
  let last: unknown;
  for (const deadline of DEADLINES_MS) {
    let service: TestService | null = null;
    try {
      service = await startService({ ROLES: 'api', LIMIT_STATEMENT_DEADLINE_MS: String(deadline) });
      return { service, owner: await service.owner() };
    } catch (error) {
      last = error;
      await service?.close().catch(() => undefined);
    }
  }
  throw last;
}

async function holdConnection(db: Awaited<ReturnType<typeof startService>>['app']['database']['db']) {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const transaction = db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    held.resolve();
    await over.promise;
  });
  await held.promise;
  return async (): Promise<void> => {
    over.resolve();
    await transaction;
  };
}

async function holdKeys(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table api_keys in access exclusive mode');
  return () => client.end();
}

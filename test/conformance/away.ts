import { sql } from 'kysely';
import pg from 'pg';
import { startService, type TestOwner } from '../support/service.ts';

/** A service whose database does not answer in time, and somebody with a key at it. */
export interface AwayStage {
  readonly owner: Pick<TestOwner, 'v2'>;
  close(): Promise<void>;
}

/** Short, because every request waits for it; long enough that the service starts on a busy machine. */
const DEADLINE_MS = '300';

/** Somebody else holds what every request needs: the embedded database's one connection, or on a server the keys. */
export async function openAway(): Promise<AwayStage> {
  const service = await startService({ ROLES: 'api', LIMIT_STATEMENT_DEADLINE_MS: DEADLINE_MS });
  const owner = await service.owner();
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

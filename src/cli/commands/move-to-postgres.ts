import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import type { App } from '../../app/build.ts';
import { openKeyring } from '../../features/encryption/open-keyring.ts';
import { openDatabase } from '../../storage/database.ts';
import { CopyRefused, copyDatabase } from '../../storage/database-copy.ts';
import { releaseKeyCheck } from '../../storage/key-checks.ts';
import { migrate } from '../../storage/migrator.ts';
import { command } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import { table } from '../table.ts';

/** Where the embedded database is left, under a name that no start opens: a second life of it would deliver rows twice. */
const LEFT = 'database-before-postgres';

const MOVED = Type.Object({
  tables: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer() })),
  left: Type.String(),
});
type Moved = Static<typeof MOVED>;

/**
 * `move-to-postgres`: copies the embedded database of DATA_DIR into the empty Postgres database of DATABASE_URL, all of
 * it or nothing. Raises CommandFailure while a server runs, without DATABASE_URL, without an embedded database, and
 * where the target is not empty; KeyringError where the key does not open the embedded database.
 */
export const moveToPostgres = command({
  name: 'move-to-postgres',
  args: Type.Object({}, { additionalProperties: false }),
  result: MOVED,
  run: async ({ app, url, hasLock }) => {
    if (url !== null) throw new CommandFailure('A server is running on this data directory. Stop it first.');
    if (app.database.kind !== 'postgres') {
      throw new CommandFailure('Set DATABASE_URL to the Postgres database to move to; it must be empty.');
    }
    if (hasLock !== true) {
      throw new CommandFailure(
        `Another process is using the data directory ${app.config.dataDir}. Stop it first.`,
      );
    }
    try {
      return await move(app);
    } catch (error) {
      // A move with another key or DATA_DIR must find the target as empty as this one did.
      await releaseKeyCheck(app.database.db);
      throw error;
    }
  },
  show: ({ tables, left }) =>
    `${table(
      [{ title: 'TABLE' }, { title: 'ROWS', align: 'right' }],
      tables.filter(({ rows }) => rows > 0).map((copied) => [copied.table, String(copied.rows)]),
    )}
Start the server with the same DATABASE_URL and the same DATA_DIR, which holds the encryption key.
The embedded database is left in ${left}; delete it once you no longer need to go back.`,
});

async function move({ config, database }: App): Promise<Moved> {
  const { dataDir } = config;
  const place = join(dataDir, 'database');
  if (!existsSync(place)) {
    throw new CommandFailure(`There is no embedded database in ${dataDir}. Set DATA_DIR to where it is.`);
  }
  try {
    const from = await openDatabase({ kind: 'embedded', dataDir });
    let tables: Awaited<ReturnType<typeof copyDatabase>>;
    try {
      await migrate(from.db);
      await openKeyring(from.db, config);
      tables = await copyDatabase(from, database);
    } finally {
      await from.close();
    }
    const left = join(dataDir, LEFT);
    await rename(place, left);
    return { tables: [...tables], left };
  } catch (error) {
    if (error instanceof CopyRefused) throw new CommandFailure(error.message);
    throw error;
  }
}

import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../platform/config.ts';
import { type OpenDatabase, openDatabase } from '../../storage/database.ts';
import { CopyRefused, copyDatabase } from '../../storage/database-copy.ts';
import { releaseKeyCheck } from '../../storage/key-checks.ts';
import { migratedKeyring } from '../encryption/open-keyring.ts';
import { wrongState } from './refusal.ts';

/**
 * Where the embedded database is left, under a name that no start opens, because using it again would deliver rows
 * twice. With a number if an earlier move has left one.
 */
const LEFT = 'database-before-postgres';

function freePlace(dataDir: string): string {
  for (let number = 1; ; number++) {
    const place = join(dataDir, number === 1 ? LEFT : `${LEFT}-${number}`);
    if (!existsSync(place)) return place;
  }
}

export interface MoveParts {
  readonly config: Config;
  readonly database: OpenDatabase;
}

export interface Moved {
  readonly tables: Awaited<ReturnType<typeof copyDatabase>>;
  /** Where the embedded database is left. */
  readonly left: string;
}

/**
 * Copies the embedded database of DATA_DIR into the empty Postgres database of DATABASE_URL, completely or not at all.
 * @param isAlone whether this process has the data directory to itself
 * @throws OperatorRefusal while another process has the directory, without DATABASE_URL, without an embedded database,
 * if the target is not empty, and after the copy if the embedded database cannot be put aside; KeyringError if the key
 * does not open the embedded database
 */
export async function moveToPostgres(parts: MoveParts, isAlone: boolean): Promise<Moved> {
  const { config, database } = parts;
  if (database.kind !== 'postgres') {
    throw wrongState('Set DATABASE_URL to the Postgres database to move to; it must be empty.');
  }
  if (!isAlone) {
    throw wrongState(`Another process is using the data directory ${config.dataDir}. Stop it first.`);
  }
  try {
    return await move(parts);
  } catch (error) {
    // A later move with another key or DATA_DIR must find the target as empty as this one did.
    await releaseKeyCheck(database.db);
    throw error;
  }
}

async function move({ config, database }: MoveParts): Promise<Moved> {
  const { dataDir } = config;
  const place = join(dataDir, 'database');
  if (!existsSync(place)) {
    throw wrongState(`There is no embedded database in ${dataDir}. Set DATA_DIR to where it is.`);
  }
  const left = freePlace(dataDir);
  try {
    const from = await openDatabase({ kind: 'embedded', dataDir });
    let tables: Moved['tables'];
    try {
      await migratedKeyring(from, config);
      tables = await copyDatabase(from, database);
    } finally {
      // What is copied is committed, whether or not this one ends cleanly: it has to be put aside.
      await from.close().catch(() => undefined);
    }
    await rename(place, left).catch((error: unknown) => {
      throw wrongState(
        `The move is complete: everything is in the Postgres database. But ${place} could not be renamed ` +
          `(${error instanceof Error ? error.message : String(error)}). Rename it to ${left} yourself before you start ` +
          'the server: one that is started without DATABASE_URL would open it, and deliver rows twice.',
      );
    });
    return { tables, left };
  } catch (error) {
    if (error instanceof CopyRefused) throw wrongState(error.message);
    throw error;
  }
}

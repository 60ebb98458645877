import { createHash } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';
import { postgresModule } from '../../src/storage/embedded/postgres-module.ts';
import { migrate } from '../../src/storage/migrator.ts';
import { SCRATCH, scratchDirectory, sweepScratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What an empty, migrated database with its queues is made from. */
const SOURCES = [
  'package-lock.json',
  'test/support/schema-template.ts',
  'src/storage/migrator.ts',
  'src/storage/schema-changes.ts',
  'src/storage/index-builds.ts',
];
const SOURCE_FOLDERS = ['src/storage/migrations', 'src/storage/embedded'];

/** A name for the schema as the code has it; another as soon as anything changes that makes the schema. */
export async function schemaName(): Promise<string> {
  const folders = await Promise.all(
    SOURCE_FOLDERS.map(async (folder) =>
      (await readdir(join(ROOT, folder))).map((file) => `${folder}/${file}`),
    ),
  );
  const hash = createHash('sha256');
  for (const path of [...SOURCES, ...folders.flat().toSorted()])
    hash.update(`${path}\n`).update(await readFile(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

/** What a first start does to an empty database. */
export async function makeSchema(database: OpenDatabase): Promise<void> {
  await migrate(database);
}

/**
 * Puts an empty, migrated embedded database into a data directory. Making one from nothing takes seconds of computing
 * and ends the same every time, so the first test process makes one for all, and the others copy it.
 */
export async function seedDataDir(dataDir: string): Promise<void> {
  ready ??= findOrMake();
  await compiledPostgres();
  cpSync(join(await ready, 'database'), join(dataDir, 'database'), { recursive: true });
}

let ready: Promise<string> | null = null;
let compiled: ReturnType<typeof postgresModule> | null = null;

/**
 * Postgres, compiled once for the process. While it is in use V8 gives its code to every thread that compiles the same
 * bytes, so the databases of services need not compile it again either.
 */
export function compiledPostgres(): ReturnType<typeof postgresModule> {
  compiled ??= postgresModule();
  return compiled;
}

async function findOrMake(): Promise<string> {
  await sweepScratch();
  const place = join(SCRATCH, `schema-${await schemaName()}`);
  if (!existsSync(place)) await make(place);
  const now = new Date();
  await utimes(place, now, now);
  return place;
}

/** Under another name first: a template that can be seen is whole, and of processes that race one wins. */
async function make(place: string): Promise<void> {
  const draft = await scratchDirectory();
  try {
    const database = await openDatabase({ kind: 'embedded', dataDir: draft });
    await makeSchema(database);
    await dropTemplates(database);
    await database.close();
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

/** Databases are made from these, and no test makes one inside the embedded Postgres: half of all files are theirs. */
async function dropTemplates({ db }: OpenDatabase): Promise<void> {
  await sql`update pg_database set datistemplate = false`.execute(db);
  for (const name of ['template0', 'template1']) await sql`drop database ${sql.id(name)}`.execute(db);
  await sql`checkpoint`.execute(db);
}

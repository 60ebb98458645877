import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import {
  type Db,
  type OpenDatabase,
  openDatabase,
  openEmbeddedInstance,
} from '../../src/storage/database.ts';
import { PREPARED_START_PARAMS, PreparedPostgres } from '../../src/storage/embedded/prepared-postgres.ts';
import { compiledPostgres, makeSchema, schemaName, seedDataDir } from './schema-template.ts';
import { scratchDirectory } from './scratch.ts';

export interface TestDatabase {
  readonly database: OpenDatabase;
  readonly db: Db;
  close(): Promise<void>;
}

/** An empty, migrated database with its queues: embedded, or a fresh Postgres database where DATABASE_URL is set. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = await createServerDatabase();
  return server === null ? openEmbedded() : openPostgres(server);
}

/**
 * Postgres clears all of its buffers when it starts: 128 MB take longer than everything else it does then. What a test
 * writes fits into less, and the rest is a file in memory.
 */
const SHARED_BUFFERS = '8MB';

/** In the test's own thread, which saves starting another and carrying every row across. */
async function openEmbedded(): Promise<TestDatabase> {
  const directory = await scratchDirectory();
  await seedDataDir(directory);
  const database = openEmbeddedInstance(
    new PreparedPostgres(
      await PGlite.create(join(directory, 'database'), {
        parsers: { 20: Number },
        pgliteWasmModule: await compiledPostgres(),
        startParams: [
          ...PGlite.defaultStartParams,
          ...PREPARED_START_PARAMS,
          '-c',
          `shared_buffers=${SHARED_BUFFERS}`,
        ],
      }),
    ),
  );
  const close = async (): Promise<void> => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { database, db: database.db, close };
}

async function openPostgres(server: ServerDatabase): Promise<TestDatabase> {
  const database = await openDatabase({ kind: 'postgres', url: server.url });
  const close = async (): Promise<void> => {
    await database.close();
    await server.drop();
  };
  return { database, db: database.db, close };
}

export interface ServerDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A new, migrated database where DATABASE_URL is set; null if tests run on the embedded one. */
export async function createServerDatabase(): Promise<ServerDatabase | null> {
  const server = process.env.DATABASE_URL;
  return server === undefined || server === '' ? null : createDatabase(server);
}

/** The address of such a database, which is dropped after the test; null, and the test is skipped, without a server. */
export async function serverUrlOf(t: TestContext): Promise<string | null> {
  const server = await createServerDatabase();
  if (server === null) {
    t.skip('DATABASE_URL is not set');
    return null;
  }
  t.after(() => server.drop());
  return server.url;
}

/** A copy of a template, which the first test process makes for all. */
async function createDatabase(server: string): Promise<ServerDatabase> {
  const name = `tributary_test_${randomBytes(6).toString('hex')}`;
  const template = `${TEMPLATES}${await schemaName()}`;
  await administer(server, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(`create database ${name} template ${template}`);
        // No test ends the server itself, so nothing that it has confirmed can be lost.
        await client.query(`alter database ${name} set synchronous_commit = off`);
        return;
      } catch (error) {
        // A run of another schema may have removed the template just now.
        if (!isMissing(error) || attempt === 3) throw error;
        await makeTemplate(client, server, template);
      }
    }
  });
  const drop = `drop database if exists ${name} with (force)`;
  return {
    url: addressOf(server, name),
    drop: () =>
      administer(server, async (client) => {
        await client.query(drop);
      }),
  };
}

const TEMPLATES = 'tributary_template_';
/** Checkouts with different schemas may run their suites on one server at the same time. */
const TEMPLATES_KEPT = 20;
/** Any number: the process that makes a template holds the lock of this number. */
const MAKING = 7_140_231;

/** Under another name first, so that a template that can be seen is whole; one process makes it, the others wait. */
async function makeTemplate(client: pg.Client, server: string, template: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [MAKING]);
  try {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1) order by oid',
      [TEMPLATES],
    );
    if (found.rows.some(({ datname }) => datname === template)) return;
    for (const { datname } of found.rows.slice(0, -TEMPLATES_KEPT))
      await client.query(`drop database if exists ${datname} with (force)`);
    const draft = `${TEMPLATES}draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    const database = await openDatabase({ kind: 'postgres', url: addressOf(server, draft) });
    await makeSchema(database).finally(() => database.close());
    await client.query(`alter database ${draft} rename to ${template}`);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MAKING]);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '3D000';
}

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(server: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

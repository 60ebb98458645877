import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import {
  type Db,
  type OpenDatabase,
  openDatabase,
  openEmbeddedInstance,
} from '../../src/storage/database.ts';
import { migrate } from '../../src/storage/migrator.ts';

export interface TestDatabase {
  readonly database: OpenDatabase;
  readonly db: Db;
  close(): Promise<void>;
}

/** An empty, migrated database: embedded in memory, or a fresh Postgres database where DATABASE_URL is set. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = process.env.DATABASE_URL;
  return server === undefined || server === '' ? openEmbedded() : openPostgres(server);
}

let template: Promise<Blob> | null = null;

/** Migrating takes longer than loading a copy, so a process migrates once. */
async function openEmbedded(): Promise<TestDatabase> {
  template ??= makeTemplate();
  const database = openEmbeddedInstance(await PGlite.create({ loadDataDir: await template, ...EMBEDDED }));
  return { database, db: database.db, close: () => database.close() };
}

const EMBEDDED = { parsers: { 20: Number } };

async function makeTemplate(): Promise<Blob> {
  const pglite = await PGlite.create(EMBEDDED);
  const database = openEmbeddedInstance(pglite);
  await migrate(database.db);
  const dump = await pglite.dumpDataDir('none');
  await database.close();
  return dump;
}

async function openPostgres(server: string): Promise<TestDatabase> {
  const fresh = await createDatabase(server);
  const database = await openDatabase({ kind: 'postgres', url: fresh.url });
  await migrate(database.db);
  const close = async (): Promise<void> => {
    await database.close();
    await fresh.drop();
  };
  return { database, db: database.db, close };
}

export interface ServerDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A new, empty database where DATABASE_URL is set; null where tests run on the embedded one. */
export async function createServerDatabase(): Promise<ServerDatabase | null> {
  const server = process.env.DATABASE_URL;
  return server === undefined || server === '' ? null : createDatabase(server);
}

async function createDatabase(server: string): Promise<ServerDatabase> {
  const name = `tributary_test_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

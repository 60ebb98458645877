import assert from 'node:assert/strict';
import pg from 'pg';
import type { OutgoingChunk } from '../../../../src/connectors/destinations/delivery-rows.ts';
import type { DatabaseWaits } from '../../../../src/connectors/destinations/postgres/client.ts';
import { createServerDatabase, type ServerDatabase } from '../../../support/database.ts';
import { openedSync } from '../support/opened-sync.ts';
import { chunkOf, chunkRow } from './chunks.ts';
import { accessTo, connectorOn, signedIn } from './scene.ts';

/** A connector that reaches the tests' own server. */
export const connectorWith = (waits: Partial<DatabaseWaits> = {}) =>
  connectorOn(['127.0.0.0/8', '::1/128'], {}, { resolve: async () => ['127.0.0.1'] }, waits);

/** A database on a real server, where several connections are at work at once. */
export class RealServer {
  readonly connector = connectorWith();
  readonly grant: string;
  readonly #database: ServerDatabase;

  private constructor(database: ServerDatabase, grant: string) {
    this.#database = database;
    this.grant = grant;
  }

  /** With an empty schema `money`. Rejects without DATABASE_URL. */
  static async open(): Promise<RealServer> {
    const database = (await createServerDatabase()) ?? assert.fail('there is no server');
    const secret = new URL(database.url);
    secret.searchParams.set('sslmode', 'disable');
    const server = new RealServer(database, await signedIn(connectorWith(), secret.href));
    await server.ask('create schema money');
    return server;
  }

  drop(): Promise<void> {
    return this.#database.drop();
  }

  async ask(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ connectionString: this.#database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** A connection that a test keeps open. */
  async connected() {
    const client = new pg.Client({ connectionString: this.#database.url });
    await client.connect();
    return {
      query: (sql: string) => client.query(sql),
      [Symbol.asyncDispose]: () => client.end(),
    };
  }

  writerTo(table: string, by = this.connector, schema = 'money') {
    return by.open(
      {
        owner: 'owner',
        target: { schema, table },
        secrets: [],
        access: accessTo(this.grant),
        sync: openedSync(),
        recorded: async () => new Set(),
        accountsWithRows: async () => null,
      },
      new AbortController().signal,
    );
  }

  /** Waits until a connection of ours waits for a lock. */
  async untilBlocked(signal: AbortSignal): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where datname = current_database()
      and application_name = 'tributary' and wait_event_type = 'Lock'`;
    while ((await this.ask(waiting)).length === 0) signal.throwIfAborted();
  }
}

/** A chunk that adds rows with these values. */
export function chunkWith(eventId: string, rows: readonly Readonly<Record<string, string>>[]): OutgoingChunk {
  return chunkOf(eventId, { added: rows.map((values) => chunkRow(values.transaction_id ?? '', values)) });
}

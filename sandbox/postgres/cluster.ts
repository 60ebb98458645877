import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { ReceivedRow } from '../shared/simulator.ts';

/** The user of connections. It has only the rights of an owner of a schema. */
export const USER = 'books';

/** A table as a page shows it. */
export interface ShownTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** A turn on the only session. */
export interface Turn {
  /** Answers messages of the protocol. */
  send(messages: Uint8Array): Promise<Uint8Array>;
  /** @param wrote whether anything may have changed */
  end(wrote: boolean): Promise<void>;
}

/** The start of every turn, as behind a pooler, where a transaction may get any connection. */
const FRESH = `reset all; set role ${USER}; set search_path = money`;

/** Postgres clears its buffers when it starts, which takes longer than everything else with its default of 128 MB. */
const SHARED_BUFFERS = '16MB';

const TABLES = `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and exists (select 1 from pg_description d where d.objoid = c.oid
    and d.classoid = 'pg_class'::regclass and d.description = 'tributary: tributary_id') order by 1, 2`;

/**
 * Real Postgres, embedded, started with the first connection. It has one session, so connections take turns, a
 * transaction each, and no setting outlasts a turn. The tables are read after every turn that may have changed them.
 */
export class Cluster {
  readonly #directory: string | null;
  #opened: Promise<PGlite> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #tables: readonly ShownTable[] = [];

  /** @param directory where it is stored between runs; null for nowhere */
  constructor(directory: string | null) {
    this.#directory = directory;
  }

  /** As they were after the last transaction. */
  get tables(): readonly ShownTable[] {
    return this.#tables;
  }

  /** The same, including those left by an earlier run. */
  async allTables(): Promise<readonly ShownTable[]> {
    if (this.#directory !== null && existsSync(join(this.#directory, 'PG_VERSION'))) await this.#open();
    return this.#tables;
  }

  rows(): readonly ReceivedRow[] {
    return this.#tables.flatMap(({ schema, name, rows }) =>
      rows.flatMap((values) => {
        const id = values.transaction_id ?? values.trade_id;
        return id === undefined ? [] : [{ id, place: `${schema}.${name}`, values }];
      }),
    );
  }

  async turn(): Promise<Turn> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    const database = await this.#open().catch((error: unknown) => {
      resolve();
      throw error;
    });
    let isOver = false;
    return {
      send: (messages) => database.execProtocolRaw(messages),
      end: async (wrote) => {
        if (isOver) return;
        isOver = true;
        try {
          if (wrote) this.#tables = await withEveryRight(database, () => shownTables(database));
          await database.exec(FRESH);
        } finally {
          resolve();
        }
      },
    };
  }

  /** Runs statements with all rights, like the server's administrator. */
  async execute(sql: string): Promise<void> {
    const turn = await this.turn();
    try {
      const database = await this.#open();
      await withEveryRight(database, () => database.exec(sql));
    } finally {
      await turn.end(true);
    }
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    if (this.#opened !== null) await (await this.#opened).close();
  }

  #open(): Promise<PGlite> {
    this.#opened ??= this.#begin().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async #begin(): Promise<PGlite> {
    const database = await opened(this.#directory);
    this.#tables = await withEveryRight(database, () => shownTables(database));
    return database;
  }
}

async function withEveryRight<T>(database: PGlite, work: () => Promise<T>): Promise<T> {
  await database.exec('reset role');
  try {
    return await work();
  } finally {
    await database.exec(`set role ${USER}`);
  }
}

async function opened(directory: string | null): Promise<PGlite> {
  if (directory !== null) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = await PGlite.create({
    ...(directory === null ? {} : { dataDir: directory }),
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
  });
  await database.exec(`
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = '${USER}') then
        create role ${USER} login;
      end if;
    end $$;
    create schema if not exists money authorization ${USER};
    ${FRESH}`);
  return database;
}

async function shownTables(database: PGlite): Promise<readonly ShownTable[]> {
  const tables = await database.query<{ schema: string; name: string }>(TABLES);
  const shown: ShownTable[] = [];
  for (const { schema, name } of tables.rows) {
    const table = `"${schema.replaceAll('"', '""')}"."${name.replaceAll('"', '""')}"`;
    const { fields } = await database.query(`select * from ${table} limit 0`);
    const columns = fields.map((field) => field.name);
    // Via JSON, so that numbers keep their digits as text.
    const { rows } = await database.query<{ values: string }>(
      `select jsonb_object_agg(key, value)::text as values
       from ${table} shown cross join lateral jsonb_each_text(to_jsonb(shown))
       where value is not null group by shown.ctid order by shown.ctid`,
    );
    shown.push({ schema, name, columns, rows: rows.map(({ values }) => textsIn(values)) });
  }
  return shown;
}

function textsIn(json: string): Readonly<Record<string, string>> {
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== 'object' || parsed === null) return {};
  return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]));
}

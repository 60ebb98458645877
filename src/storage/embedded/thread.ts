import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import {
  type Answer,
  type Asked,
  type EmbeddedTransaction,
  type Fault,
  INT8,
  type Request,
  type ThreadSettings,
} from './messages.ts';
import { postgresModule } from './postgres-module.ts';
import { PREPARED_START_PARAMS, PreparedPostgres } from './prepared-postgres.ts';

/**
 * PGlite starts Postgres with `-F`, which leaves flushing to the operating system: a killed process loses nothing, but
 * a power cut may lose acknowledged writes. Here an acknowledged write is on the disk.
 */
const WITHOUT_FSYNC = '-F';
/**
 * Postgres caches pages up to this size and never frees them. Its default of 128 MB is meant for a dedicated machine;
 * the file system caches the rest.
 */
const SHARED_BUFFERS = '24MB';
/**
 * How much of the write-ahead log a checkpoint keeps for reuse: two files of 16 MB. There is no background process for
 * checkpoints here; storage/upkeep.ts makes them.
 */
const LOG_SIZE = '32MB';

/**
 * Postgres keeps this many files open, and at each start tries how many it can open. A schema of this size needs fewer
 * than its default of 1,000.
 */
const FILES_OPEN = 256;

/** Members of a Postgres error that say what failed; the query and its parameters are left out on purpose. */
const FAULT_MEMBERS: ReadonlySet<string> = new Set([
  'code',
  'severity',
  'detail',
  'hint',
  'schema',
  'table',
  'column',
  'constraint',
  'dataType',
  'routine',
]);

/** The options that Postgres is started with. */
const START_PARAMS: readonly string[] = [
  ...PGlite.defaultStartParams.filter((param) => param !== WITHOUT_FSYNC),
  '-c',
  `shared_buffers=${SHARED_BUFFERS}`,
  '-c',
  `min_wal_size=${LOG_SIZE}`,
  '-c',
  `max_wal_size=${LOG_SIZE}`,
  '-c',
  `max_files_per_process=${FILES_OPEN}`,
  ...PREPARED_START_PARAMS,
];

/**
 * The embedded database in a thread of its own: Postgres compiled to WebAssembly computes for milliseconds at a time,
 * which no request should have to wait for. Statements run in the order in which they arrive; a transaction holds the
 * database until its commit or rollback arrives, as in PGlite itself.
 */
const port = parentPort;
if (port === null) throw new Error('the embedded database runs in a worker thread');
const settings: ThreadSettings = workerData;
const pglite = new PreparedPostgres(
  await PGlite.create(settings.location, {
    parsers: { [INT8]: Number },
    pgliteWasmModule: await postgresModule(settings.brief),
    startParams: [...START_PARAMS],
  }),
);
/** Severities after which Postgres ends its process, which here is this thread: it would never answer again. */
const FATAL: ReadonlySet<string> = new Set(['FATAL', 'PANIC']);
const transactions = new Map<number, OpenTransaction>();
const listening = new Map<string, () => Promise<void>>();

interface OpenTransaction {
  readonly trx: EmbeddedTransaction;
  readonly end: (failure: Error | null) => void;
  readonly ended: Promise<void>;
}

class RolledBack extends Error {}

function say(answer: Answer): void {
  port?.postMessage(answer);
}

port.on('message', ({ id, request }: Asked) => {
  perform(request).then(
    (value) => say({ kind: 'answer', id, value }),
    (error: unknown) => say({ kind: 'fault', id, fault: faultOf(error) }),
  );
});
say({ kind: 'ready' });

async function perform(request: Request): Promise<unknown> {
  switch (request.kind) {
    case 'query':
      return query(request.sql, request.params, request.transaction);
    case 'exec':
      return (await pglite.exec(request.sql)).map(({ rows }) => ({ rows }));
    case 'begin':
      return begin(request.transaction);
    case 'commit':
      return end(request.transaction, null);
    case 'rollback':
      return end(request.transaction, new RolledBack());
    case 'listen':
      listening.set(
        request.channel,
        await pglite.listen(request.channel, (payload) =>
          say({ kind: 'notification', channel: request.channel, payload }),
        ),
      );
      return null;
    case 'unlisten':
      await listening.get(request.channel)?.();
      listening.delete(request.channel);
      return null;
    case 'close':
      await pglite.close();
      return null;
  }
}

async function query(sql: string, params: readonly unknown[], transaction: number | null) {
  const on = transaction === null ? pglite : transactions.get(transaction)?.trx;
  if (on === undefined) throw new Error('the transaction has ended');
  const { rows, affectedRows, fields } = await on.query<unknown>(sql, [...params]);
  return { rows, affectedRows, fields };
}

function begin(id: number): Promise<null> {
  return new Promise((resolve, reject) => {
    let end: OpenTransaction['end'] = () => undefined;
    const over = new Promise<void>((settle, fail) => {
      end = (failure) => (failure === null ? settle() : fail(failure));
    });
    const ended = pglite.transaction(async (trx) => {
      transactions.set(id, { trx, end, ended });
      resolve(null);
      await over;
    });
    ended.catch(reject);
  });
}

async function end(id: number, failure: Error | null): Promise<null> {
  const open = transactions.get(id);
  if (open === undefined) throw new Error('the transaction has ended');
  transactions.delete(id);
  open.end(failure);
  try {
    await open.ended;
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return null;
}

function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: String(error), members: {}, fatal: false };
  const members = Object.fromEntries(
    Object.entries(error).flatMap(([name, value]) =>
      FAULT_MEMBERS.has(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
  const fatal = FATAL.has(members.severity ?? '') || error.name === 'RuntimeError';
  return { message: error.message, members, fatal };
}

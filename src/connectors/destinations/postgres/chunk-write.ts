import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SyncType } from '../../../vocabulary/syncs.ts';
import type { ChunkRow, ExistedAs, OutgoingChunk, WrittenChunk } from '../delivery-rows.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { RowIds } from '../kit/shared-ids.ts';
import type { Answer, Session } from './client.ts';
import { InexactColumn, isRowRefusal, SkippedRow } from './failures.ts';
import { assignments, type GivenRow, givenOf, keysIn, listsOf, type Owned, owned, valuesOf } from './rows.ts';
import type { Column, Field, Table } from './table.ts';

/** With more refused rows than this, the problem is the table and not the rows. */
const MOST_REFUSED = 50;

type Work = (rows: readonly GivenRow[]) => Promise<void>;

interface Tolerance {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** Source ids of the rows that were refused; entries are added. */
  readonly rejected: string[];
}

/**
 * Works on rows within savepoints, and bisects refused batches until the individual rows that are refused are found.
 * Raises DestinationFailure `run_failed` for a table that refuses too many, and whatever else `work` raises.
 */
async function withoutRefused(tolerance: Tolerance, rows: readonly GivenRow[], work: Work): Promise<void> {
  const { session, signal, rejected } = tolerance;
  await session.ask('savepoint tributary', [], signal);
  try {
    await work(rows);
    await session.ask('release savepoint tributary', [], signal);
    return;
  } catch (error) {
    if (!isRowRefusal(error)) throw error;
    await session.run(['rollback to savepoint tributary', 'release savepoint tributary'], signal);
  }
  const [only] = rows;
  if (rows.length === 1 && only !== undefined) {
    rejected.push(only.id);
    if (rejected.length <= MOST_REFUSED) return;
    throw new DestinationFailure(
      'run_failed',
      'The table refuses most rows: a column has a type or a constraint that they do not meet. Change it, or connect another table.',
      { outcome: 'refused', retryable: false },
    );
  }
  const half = Math.ceil(rows.length / 2);
  await withoutRefused(tolerance, rows.slice(0, half), work);
  await withoutRefused(tolerance, rows.slice(half), work);
}

const Outcome = Type.Object({
  rejected: Type.Array(Type.String()),
  /** WrittenChunk.existed, under the key used in tables since the first version. */
  stood: Type.Array(Type.Tuple([Type.String(), Type.Union([Type.Literal('same'), Type.Literal('updated')])])),
});

/**
 * What is needed to write a chunk. `committing` is called before the one statement whose lost answer leaves it
 * unconfirmed.
 */
interface ChunkWriting {
  readonly session: Session;
  readonly table: Table;
  /** The table of marks, quoted. */
  readonly chunks: string;
  readonly sync: string;
  readonly type: SyncType;
  /** Of the chunk. */
  readonly ids: RowIds;
  readonly signal: AbortSignal;
  readonly committing: () => void;
}

/**
 * Writes a chunk in one transaction with its mark. A chunk that has its mark was written by an earlier attempt: nothing
 * is written again, and that attempt's result is returned. Raises what `Session.transaction` raises, and
 * DestinationFailure `run_failed` for a table that refuses most rows.
 */
export async function writeChunk(writing: ChunkWriting, chunk: OutgoingChunk): Promise<WrittenChunk> {
  const { session, signal, committing } = writing;
  const write = (careful: boolean) =>
    session.transaction(signal, () => written(writing, chunk, careful), { committing });
  try {
    return await write(false);
  } catch (error) {
    if (!isRowRefusal(error)) throw error;
    return write(true);
  }
}

/** @param careful whether rows are tried within savepoints, so that only the offending ones are refused */
async function written(
  { session, table, chunks, sync, type, ids, signal }: ChunkWriting,
  chunk: OutgoingChunk,
  careful: boolean,
): Promise<WrittenChunk> {
  const ask = (text: string, values: Parameters<Session['ask']>[1] = []) => session.ask(text, values, signal);
  // A deferred constraint does not say which row violates it.
  if (careful) await ask('set constraints all immediate');
  // Also waits for an earlier attempt of this chunk that is still running.
  const marked = await ask(
    `insert into ${chunks} (event_id, sync) values ($1, $2) on conflict do nothing returning event_id`,
    [chunk.eventId, sync],
  );
  if (marked.length === 0) {
    const [earlier] = await ask(`select outcome from ${chunks} where event_id = $1`, [chunk.eventId]);
    return outcomeOf(earlier?.outcome);
  }
  const rejected: string[] = [];
  const existed = new Map<string, ExistedAs>();
  const tolerant = async (rows: readonly GivenRow[], work: (rows: readonly GivenRow[]) => Promise<void>) => {
    if (rows.length === 0) return;
    await (careful ? withoutRefused({ session, signal, rejected }, rows, work) : work(rows));
  };
  const all = [...chunk.added, ...chunk.updated, ...chunk.removed].flatMap(({ account, id, replaces }) =>
    (replaces === null ? [id] : [id, replaces]).map((one) => owned(account, one)),
  );
  const keyIn = await keysIn(session, table, type, all, ids, signal);
  const given = (rows: readonly ChunkRow[]) => rows.map((row) => givenRow(row, keyIn));
  await tolerant(given(chunk.added), async (rows) => {
    await requireExact(session, table, rows, signal);
    const answers = await ask(putStatement(table), listsOf(table, rows));
    await requirePresent(ask, table, answers);
    const sources = new Map(rows.map(({ key, id }) => [key, id]));
    for (const { key, existed: isExisting, written: isWritten } of answers) {
      const id = sources.get(String(key));
      if (id !== undefined && isExisting === 'true')
        existed.set(id, isWritten === 'true' ? 'updated' : 'same');
    }
  });
  await tolerant(given(chunk.updated), async (rows) => {
    await requireExact(session, table, rows, signal);
    const replacing = rows.filter(({ replaces }) => replaces !== null);
    if (replacing.length > 0) {
      const keys = [replacing.map(({ key }) => key), replacing.map(({ replaces }) => replaces)];
      await ask(settleStatement(table), keys);
    }
    await ask(changeStatement(table), listsOf(table, rows));
  });
  await tolerant(
    given(chunk.removed),
    async (rows) => void (await ask(removeStatement(table), [rows.map(({ key }) => key)])),
  );
  const outcome = JSON.stringify({ rejected, stood: [...existed] });
  await ask(`update ${chunks} set outcome = $2 where event_id = $1`, [chunk.eventId, outcome]);
  return { rejected, remoteRefs: new Map(), existed };
}

/** A trigger may silently skip a row: raises SkippedRow, so that only that row is refused. */
async function requirePresent(
  ask: (text: string, values: Parameters<Session['ask']>[1]) => Promise<readonly Answer[]>,
  table: Table,
  answers: readonly Answer[],
): Promise<void> {
  const unconfirmed = answers.filter(({ existed, written }) => existed !== 'true' && written !== 'true');
  if (unconfirmed.length === 0) return;
  // Another sync may have written the same row at the same time.
  const present = await ask(presentStatement(table), [unconfirmed.map(({ key }) => String(key))]);
  if (present.length < unconfirmed.length) throw new SkippedRow('the table did not take a row');
}

function outcomeOf(stored: unknown): WrittenChunk {
  const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : null;
  if (!Value.Check(Outcome, value)) throw new TypeError('the mark of a chunk has an unknown form');
  return { rejected: value.rejected, remoteRefs: new Map(), existed: new Map(value.stood) };
}

function givenRow({ id, account: of, text, replaces }: ChunkRow, keyIn: (row: Owned) => string): GivenRow {
  const row = owned(of, id);
  const replaced = replaces === null ? null : keyIn(owned(of, replaces));
  return { id, key: keyIn(row), account: row.account, replaces: replaced, values: valuesOf(text ?? '{}') };
}

/** Types that store every text exactly, or refuse it. */
const TEXTS = /^(?:text|character varying(?:\(\d+\))?|character\(\d+\)|bpchar)$/;
/** Types that can store every value of a field. */
const EXACT: Readonly<Record<Field['sqlType'], string>> = {
  text: 'text',
  numeric: 'numeric',
  date: 'date',
  timestamptz: 'timestamp with time zone',
};

/**
 * Raises InexactColumn if a column would change a value of the rows: Postgres silently rounds to the digits of a
 * column, and truncates to the length of some types. Sends no query if the table still has its original types. Raises
 * what `ask` raises.
 */
export async function requireExact(
  session: Session,
  table: Table,
  rows: readonly GivenRow[],
  signal: AbortSignal,
): Promise<void> {
  const columns: readonly (readonly [column: Column, value: string])[] = [
    [table.key, 'given.key'],
    [table.owner, 'given.account'],
    ...table.columns.map((column, at) => [column, `given.v${at}`] as const),
  ];
  const changed = columns
    .filter(([{ field, fullType }]) => fullType !== EXACT[field.sqlType] && !TEXTS.test(fullType))
    .map(([{ field, fullType }, value]) => {
      // Amounts of the type money are texts with a currency symbol.
      const shown = fullType === 'money' ? `${value}::money::numeric` : `${value}::${fullType}::text`;
      return `${value}::${field.sqlType} is distinct from ${shown}::${field.sqlType}`;
    });
  if (changed.length === 0) return;
  const statement = `with ${givenOf(table)} select 1 as found from given where ${changed.join(' or ')} limit 1`;
  const found = await session.ask(statement, listsOf(table, rows), signal);
  if (found.length > 0) throw new InexactColumn('a column would round or cut a value');
}

/**
 * Writes rows to the table. Returns for each whether it already existed (`existed`) and whether anything of it was
 * written (`written`). Values are compared as texts, since not every type that a person may have chosen can be
 * compared.
 */
export function putStatement(table: Table): string {
  const all = assignments(table);
  const names = all.map(([{ name }]) => name);
  const changed = all.map(([{ name }]) => `old.${name}::text is distinct from excluded.${name}::text`);
  return `with ${givenOf(table)},
    existed as (select old.${table.key.name}::text as key from ${table.name} old
      where old.${table.key.name} in (select given.key::${table.key.type} from given)),
    put as (insert into ${table.name} as old (${names.join(', ')})
      select ${all.map(([, value]) => value).join(', ')} from given
      on conflict (${table.key.name}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
      where ${changed.join(' or ')} returning ${table.key.name}::text as key)
    select given.key, (existed.key is not null)::text as existed, (put.key is not null)::text as written
    from given left join existed on existed.key = given.key left join put on put.key = given.key`;
}

/** Removes pending rows whose posted row already exists. Takes keys and those they replace. */
function settleStatement({ name, key }: Table): string {
  return `delete from ${name} old using unnest($1::text[], $2::text[]) as given (key, replaces)
    where old.${key.name} = given.replaces::${key.type}
      and exists (select 1 from ${name} posted where posted.${key.name} = given.key::${key.type})`;
}

/** Changes existing rows, such as a pending one into the posted one. A row that a person deleted stays deleted. */
function changeStatement(table: Table): string {
  const set = assignments(table).map(([{ name }, value]) => `${name} = ${value}`);
  const key = `old.${table.key.name}`;
  return `with ${givenOf(table)} update ${table.name} old set ${set.join(', ')} from given
    where ${key} in (given.key::${table.key.type}, given.replaces::${table.key.type})`;
}

/** Takes keys. */
function removeStatement({ name, key }: Table): string {
  return `delete from ${name} where ${key.name}::text = any($1::text[])`;
}

/** Which of the keys exist. */
function presentStatement({ name, key }: Table): string {
  return `select ${key.name}::text as key from ${name} where ${key.name}::text = any($1::text[])`;
}

import type { CreatedTarget, CreationRequest } from '../destination-contract.ts';
import { DestinationFailure } from '../destination-failure.ts';
import type { Session } from './client.ts';
import { type Field, fieldsOf, literal, openTable, type Place, quoted, suffixed, WRITER } from './table.ts';

const BASE_CHARACTERS = 40;
/** How many tables may have the same name, with different numbers. */
const MOST_NAMES = 50;

/** Without these, monthly sums are meaningless: amounts of two currencies do not add up. */
const SUMMED = ['date', 'currency', 'amount'];
/** What months are grouped by, as far as the table has it. */
const SPLIT = ['account', 'category'];

/** A name that needs no quotes where people write statements by hand. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  if (plain === '') return 'tributary';
  return (/^[a-z]/.test(plain) ? plain : `t_${plain}`).slice(0, BASE_CHARACTERS);
}

/**
 * Creates a table with the columns of the sync, and a view of its months if it contains transactions, in the open
 * transaction. The key is in the table's comment. Raises DestinationFailure `refused`, and what `ask` raises.
 */
export async function createTable(
  session: Session,
  { key, again, name, parent, type, target, columns = null }: CreationRequest,
  signal: AbortSignal,
): Promise<CreatedTarget> {
  if (target !== null) return { target, mappings: [] };
  const comment = `tributary: ${key}`;
  // An earlier attempt whose answer was lost may still be running.
  await session.ask('select pg_advisory_xact_lock(hashtextextended($1, 0))', [comment], signal);
  if (again) {
    const made = await madeBefore(session, comment, signal);
    if (made !== null) return { target: { ...made }, mappings: [] };
  }
  const schema = parent ?? (await currentSchema(session, signal));
  const table = await freeName(session, schema, plainName(name), signal);
  const place: Place = { schema, table };
  const of = quoted(schema, table);
  await session.run([`create table ${of} ()`, `comment on table ${of} is ${literal(comment)}`], signal);
  const fields = fieldsOf(type, columns);
  const needed = type === 'holdings' ? [...fields, WRITER] : fields;
  await openTable(session, place, needed, { makes: false }, signal);
  const view = type === 'transactions' ? monthlyView(place, fields) : null;
  if (view !== null) await session.ask(view, [], signal);
  return { target: { ...place }, mappings: [] };
}

const viewOf = (table: string): string => suffixed(table, '_monthly');

/** Null for a table without the columns that the view sums. */
function monthlyView({ schema, table }: Place, fields: readonly Field[]): string | null {
  const names = new Set(fields.map(({ name }) => name));
  if (!SUMMED.every((name) => names.has(name))) return null;
  const [date, currency, amount] = SUMMED.map((name) => quoted(name));
  const split = [...SPLIT.filter((name) => names.has(name)).map((name) => quoted(name)), currency];
  const groups = split.map((_, at) => at + 2);
  return `create view ${quoted(schema, viewOf(table))} as
    select date_trunc('month', ${date})::date as month, ${split.join(', ')},
      sum(${amount}) filter (where ${amount} > 0) as money_in, sum(${amount}) filter (where ${amount} < 0) as money_out,
      sum(${amount}) as net, count(*) as transactions
    from ${quoted(schema, table)} where ${date} is not null group by 1, ${groups.join(', ')}`;
}

async function madeBefore(session: Session, comment: string, signal: AbortSignal): Promise<Place | null> {
  const [found] = await session.ask(
    `select n.nspname as schema, c.relname as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and obj_description(c.oid, 'pg_class') = $1`,
    [comment],
    signal,
  );
  return found === undefined ? null : { schema: String(found.schema), table: String(found.table) };
}

async function currentSchema(session: Session, signal: AbortSignal): Promise<string> {
  const [found] = await session.ask('select current_schema() as name', [], signal);
  if (typeof found?.name === 'string') return found.name;
  throw new DestinationFailure(
    'destination_resource_missing',
    'The user of the database has no schema of its own to make a table in: send the schema as parent.',
    { outcome: 'refused', retryable: false },
  );
}

async function freeName(
  session: Session,
  schema: string,
  base: string,
  signal: AbortSignal,
): Promise<string> {
  const [word] = await session.ask('select (quote_ident($1) = $1)::text as is_plain', [base], signal);
  const first = word?.is_plain === 'true' ? base : `t_${base}`;
  const names = Array.from({ length: MOST_NAMES }, (_, at) => (at === 0 ? first : `${first}_${at + 1}`));
  const taken = await session.ask(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = any($2::text[])`,
    [schema, names.flatMap((name) => [name, viewOf(name)])],
    signal,
  );
  const used = new Set(taken.map(({ name }) => name));
  const free = names.find((name) => !used.has(name) && !used.has(viewOf(name)));
  if (free !== undefined) return free;
  throw new DestinationFailure('run_failed', 'The schema has too many tables of this name: choose another.', {
    outcome: 'refused',
    retryable: false,
  });
}

import { InexactColumn } from './failures.ts';
import type { Field } from './fields.ts';
import { assignments, type GivenRow, givenOf, listsOf } from './rows.ts';
import type { Session } from './session.ts';
import type { Column, Table } from './table.ts';

/** Types that hold every text as it is, or refuse it. */
const TEXTS = /^(?:text|character varying(?:\(\d+\))?|character\(\d+\)|bpchar)$/;
/** Types that hold every value of a field. */
const EXACT: Readonly<Record<Field['sqlType'], string>> = {
  text: 'text',
  numeric: 'numeric',
  date: 'date',
  timestamptz: 'timestamp with time zone',
};

/**
 * Raises InexactColumn where a column would take a value of the rows otherwise than as it is: Postgres rounds to the
 * digits of a column, and cuts at the length of some types, without a word. Asks nothing of a table with the types that
 * it was made with. Raises what `ask` raises.
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
      // Amounts of the type money are texts with a sign of the currency.
      const shown = fullType === 'money' ? `${value}::money::numeric` : `${value}::${fullType}::text`;
      return `${value}::${field.sqlType} is distinct from ${shown}::${field.sqlType}`;
    });
  if (changed.length === 0) return;
  const statement = `with ${givenOf(table)} select 1 as found from given where ${changed.join(' or ')} limit 1`;
  const found = await session.ask(statement, listsOf(table, rows), signal);
  if (found.length > 0) throw new InexactColumn('a column would round or cut a value');
}

/**
 * Puts rows in the table. Answers for each whether it was there (`stood`) and whether anything of it was written
 * (`written`). Texts are compared, since not every type that a person may have chosen can be.
 */
export function putStatement(table: Table): string {
  const all = assignments(table);
  const names = all.map(([{ name }]) => name);
  const changed = all.map(([{ name }]) => `old.${name}::text is distinct from excluded.${name}::text`);
  return `with ${givenOf(table)},
    stood as (select old.${table.key.name}::text as key from ${table.name} old
      where old.${table.key.name} in (select given.key::${table.key.type} from given)),
    put as (insert into ${table.name} as old (${names.join(', ')})
      select ${all.map(([, value]) => value).join(', ')} from given
      on conflict (${table.key.name}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
      where ${changed.join(' or ')} returning ${table.key.name}::text as key)
    select given.key, (stood.key is not null)::text as stood, (put.key is not null)::text as written
    from given left join stood on stood.key = given.key left join put on put.key = given.key`;
}

/** Removes pending rows whose posted row is there already. Takes keys and those they replace. */
export function settleStatement({ name, key }: Table): string {
  return `delete from ${name} old using unnest($1::text[], $2::text[]) as given (key, replaces)
    where old.${key.name} = given.replaces::${key.type}
      and exists (select 1 from ${name} posted where posted.${key.name} = given.key::${key.type})`;
}

/** Changes rows that are there, a pending one into the posted one. A row that a person deleted stays away. */
export function changeStatement(table: Table): string {
  const set = assignments(table).map(([{ name }, value]) => `${name} = ${value}`);
  const key = `old.${table.key.name}`;
  return `with ${givenOf(table)} update ${table.name} old set ${set.join(', ')} from given
    where ${key} in (given.key::${table.key.type}, given.replaces::${table.key.type})`;
}

/** Gives rows another key, unless a row has it already. Takes keys and those that they become. */
export function renameStatement({ name, key }: Table): string {
  return `update ${name} old set ${key.name} = given.key::${key.type} from unnest($1::text[], $2::text[]) as given (was, key)
    where old.${key.name}::text = given.was
      and not exists (select 1 from ${name} taken where taken.${key.name}::text = given.key)`;
}

/** Takes keys. */
export function removeStatement({ name, key }: Table): string {
  return `delete from ${name} where ${key.name}::text = any($1::text[])`;
}

/** Which of the keys are there. */
export function presentStatement({ name, key }: Table): string {
  return `select ${key.name}::text as key from ${name} where ${key.name}::text = any($1::text[])`;
}

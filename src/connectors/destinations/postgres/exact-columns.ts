import { InexactColumn } from './failures.ts';
import type { Field } from './fields.ts';
import { type GivenRow, givenOf, listsOf } from './given-rows.ts';
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

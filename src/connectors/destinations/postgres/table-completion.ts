import { type Field, KEY, OWNER } from './fields.ts';
import { literal, quoted } from './names.ts';
import type { Place } from './place.ts';
import type { Session } from './session.ts';
import { columnFor, markOf, standingColumns } from './standing-columns.ts';

/** Keys have the order of their bytes, so that reading them in order needs nothing but their index. */
const collationOf = (field: Field): string => (field === KEY ? ' collate "C"' : '');

/**
 * Adds what the table lacks, or makes it (`makes`), in the open transaction: the table is complete or as it was. Postgres names the
 * indexes: a name of ours may be taken by a table that was renamed. Raises what `ask` raises.
 */
export async function completeTable(
  session: Session,
  place: Place,
  fields: readonly Field[],
  { makes }: { readonly makes: boolean },
  signal: AbortSignal,
): Promise<void> {
  const name = quoted(place.schema, place.table);
  const make = makes ? [`create table if not exists ${name} ()`] : [];
  // The lock lets one process at a time look what is lacking and add it.
  await session.run([...make, `lock table ${name} in share row exclusive mode`], signal);
  const found = (await standingColumns(session, place, signal)) ?? [];
  const lacking = fields.filter((field) => columnFor(field, found) === undefined);
  const statements = lacking.flatMap((field) => [
    `alter table ${name} add column ${quoted(field.name)} ${field.sqlType}${collationOf(field)}`,
    `comment on column ${name}.${quoted(field.name)} is ${literal(markOf(field))}`,
  ]);
  const key = columnFor(KEY, found);
  if (key?.isUnique !== true)
    statements.push(`create unique index on ${name} (${quoted(key?.name ?? KEY.name)})`);
  if (lacking.length === fields.length) {
    const hasDate = fields.some((field) => field.name === 'date');
    if (hasDate) statements.push(`create index on ${name} (${quoted('date')}, ${quoted(OWNER.name)})`);
    statements.push(`create index on ${name} (${quoted(OWNER.name)})`);
  }
  if (statements.length > 0) await session.run(statements, signal);
}

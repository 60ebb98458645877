import { type Field, KEY } from './fields.ts';
import type { Place } from './place.ts';
import type { Session } from './session.ts';

/** A column as it is in the table. */
export interface ExistingColumn {
  readonly name: string;
  /** Without its length, so that a text that is too long is refused and not cut. */
  readonly type: string;
  /** With its length and digits. */
  readonly fullType: string;
  /** Its comment. */
  readonly mark: string | null;
  /** Whether an index of its own keeps it unique, so that `on conflict` can name it. */
  readonly isUnique: boolean;
}

/** A column that was renamed is found by its comment. */
export const markOf = (field: Field): string => `tributary: ${field.name}`;

const EXISTING = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as full_type,
    case a.atttypid when 'bpchar'::regtype then 'bpchar' else format_type(a.atttypid, null) end as type, col_description(c.oid, a.attnum) as mark,
    exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indimmediate
      and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum)::text as is_unique
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
  where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p')
  order by a.attnum`;

/** The columns of a table that can be written; null where there is no such table. */
export async function existingColumns(
  session: Session,
  { schema, table }: Place,
  signal: AbortSignal,
): Promise<readonly ExistingColumn[] | null> {
  const rows = await session.ask(EXISTING, [schema, table], signal);
  if (rows.length === 0) return null;
  return rows.flatMap(({ name, type, full_type, mark, is_unique }) =>
    typeof name === 'string'
      ? [
          {
            name,
            type: String(type),
            fullType: String(full_type),
            mark: typeof mark === 'string' ? mark : null,
            isUnique: is_unique === 'true',
          },
        ]
      : [],
  );
}

/** The column of a field: by its mark, which a person who renames the column leaves, else by its name. */
export function columnFor(field: Field, columns: readonly ExistingColumn[]): ExistingColumn | undefined {
  return (
    columns.find(({ mark }) => mark === markOf(field)) ??
    columns.find(({ name, mark }) => name === field.name && !mark?.startsWith('tributary: '))
  );
}

/** Whether every field has its column, and the key is unique. */
export function isComplete(columns: readonly ExistingColumn[] | null, fields: readonly Field[]): boolean {
  if (columns === null) return false;
  return fields.every((field) => {
    const column = columnFor(field, columns);
    return column !== undefined && (field !== KEY || column.isUnique);
  });
}

import type {
  DestinationAccess,
  LackingColumn,
  ShownRow,
  ShownValues,
  TargetReading,
} from '../destination-contract.ts';
import { parseQualifiedId } from '../kit/shared-ids.ts';
import { decodeValues, exactNumber } from '../row-values.ts';
import type { AirtableApi } from './client.ts';
import { type ColumnSpec, fits, ID_COLUMN, madeType } from './columns.ts';
import { missingTable, textOf } from './table.ts';
import { cellsOf, type OwnField, ownFields, shortened } from './table-columns.ts';

const ACCOUNT_COLUMNS: ReadonlySet<string> = new Set(['account', 'account_number', 'institution']);

interface ReadTable {
  readonly api: AirtableApi;
  readonly access: DestinationAccess;
  readonly base: string;
  readonly table: string;
  readonly columns: readonly ColumnSpec[];
}

/** Reads back the records of a table that have the id of a row. */
export function airtableReading(read: ReadTable): TargetReading {
  return {
    shown: (text) => {
      const values = decodeValues(text);
      const pairs = read.columns.map(
        (spec, at) => [spec.header, comparable(spec, shortened(values[at] ?? ''))] as const,
      );
      return Object.fromEntries(pairs.filter((_pair, at) => read.columns[at]?.key !== ID_COLUMN));
    },
    keysOf: (id) => [id],
    inspect: async (signal) => {
      const own = await existing(read, signal);
      const lacking = own.flatMap(({ spec, field }): LackingColumn[] => {
        if (field !== null && fits(spec, field.type)) return [];
        return [{ name: spec.header, where: null, problem: field === null ? 'absent' : 'wrong_type' }];
      });
      const columns = own.map(({ spec, field }) => ({
        spec,
        id: spec.key,
        type: field?.type ?? madeType(spec),
      }));
      return {
        lacking,
        refusal: (text) => (cellsOf(columns, decodeValues(text)) === null ? 'amount' : null),
      };
    },
    accountFields: read.columns.flatMap(({ key, header }) => (ACCOUNT_COLUMNS.has(key) ? [header] : [])),
    rows: (signal) => recordsOf(read, signal),
  };
}

/** Which columns of the table are currently those of the sync. */
async function existing(
  { api, access, base, table: id, columns }: ReadTable,
  signal: AbortSignal,
): Promise<readonly OwnField[]> {
  const by = { access, signal, askedBy: 'run' } as const;
  const table = (await api.tables(by, base)).find((one) => one.id === id);
  if (table === undefined) throw missingTable();
  return ownFields(api, by, { base, table: id }, table, columns);
}

async function* recordsOf(read: ReadTable, signal: AbortSignal): AsyncGenerator<readonly ShownRow[]> {
  const { api, access, base, table: id } = read;
  const by = { access, signal, askedBy: 'run' } as const;
  const own = await existing(read, signal);
  const columns = own.flatMap(({ spec, field }) =>
    field === null || !fits(spec, field.type) ? [] : [{ spec, id: field.id }],
  );
  const ids = columns.find(({ spec }) => spec.key === ID_COLUMN);
  if (ids === undefined) return;
  const compared = columns.filter((column) => column !== ids);
  const fields = columns.map((column) => column.id);
  for await (const records of api.pages(by, { base, table: id }, { fields })) {
    yield records.flatMap((record): ShownRow[] => {
      const text = textOf(record, ids.id);
      if (text === '') return [];
      const values: ShownValues = Object.fromEntries(
        compared.map(({ spec, id: column }) => [spec.header, comparable(spec, record.fields[column])]),
      );
      const row = parseQualifiedId(text);
      return [
        { keys: row === null ? [text] : [], ...(row === null ? {} : { row }), where: record.id, values },
      ];
    });
  }
}

/**
 * A cell as it is compared: numbers as numbers, even if a person changed their column to text, and texts without spaces
 * and invisible characters, which Airtable may change.
 */
function comparable({ form }: ColumnSpec, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'string' ? value : String(value);
  if (form === 'decimal') return String(exactNumber(text) ?? text);
  return text
    .normalize('NFC')
    .replaceAll(/(?!\s)\p{C}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

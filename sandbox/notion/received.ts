import type { ReceivedRow, ReceivedRows } from '../shared/simulator.ts';
import { cellText } from './cells.ts';
import type { RowRecord, SourceRecord } from './records.ts';
import type { Workspace } from './workspace.ts';

const ID_COLUMN = 'Transaction ID';

/** Rows that a person sees, in all databases: those in the trash are not among them. */
export function receivedRows(workspace: Workspace): ReceivedRows {
  return {
    rows: () =>
      [...workspace.rows.values()].flatMap((row): ReceivedRow[] => {
        const source = workspace.sources.get(row.source);
        if (source === undefined || row.inTrash || workspace.isBelowTrash(row.id)) return [];
        const values = valuesOf(source, row);
        const place = workspace.databases.get(source.database)?.title ?? '';
        return [{ id: values[ID_COLUMN] ?? row.id, place, values }];
      }),
    pages: () => {
      const filled = new Set(
        [...workspace.rows.values()].map(({ source }) => workspace.sources.get(source)?.database),
      );
      const shown = [...workspace.databases.keys()].filter((id) => filled.has(id));
      return ['/databases', ...shown.map((id) => `/databases/${id}`)];
    },
  };
}

function valuesOf({ properties }: SourceRecord, { cells }: RowRecord): Record<string, string> {
  return Object.fromEntries(
    properties.map((property) => [property.name, cellText(property, cells[property.id])]),
  );
}

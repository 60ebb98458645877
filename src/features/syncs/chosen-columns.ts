import { DESTINATION_KINDS, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import { SYNC_FIELDS } from '../../vocabulary/row-fields.ts';
import { invalidParameter } from '../../vocabulary/service-error.ts';
import type { SyncType } from '../../vocabulary/syncs.ts';

/**
 * What the owner of a sync may choose as its columns (docs/columns.md#choosing-columns). Raises `parameter_invalid` with
 * the entry at fault.
 */
export function requireColumns(
  { type, destination }: { readonly type: SyncType; readonly destination: DestinationType },
  columns: readonly string[] | null,
): void {
  if (columns === null) return;
  if (!DESTINATION_KINDS[destination].columns) {
    throw invalidParameter('columns', `A destination of type ${destination} has no columns to choose from.`);
  }
  const fields = Object.keys(SYNC_FIELDS[type]);
  const known = `The fields of a ${type} sync are ${fields.join(', ')}.`;
  if (columns.length === 0) {
    throw invalidParameter('columns', `columns is empty; null stands for the standard columns. ${known}`);
  }
  for (const [index, name] of columns.entries()) {
    const at = `columns[${index}]`;
    if (!fields.includes(name)) throw invalidParameter(at, `${at} is unknown. ${known}`);
    if (columns.indexOf(name) < index) throw invalidParameter(at, `${at} is listed twice. ${known}`);
  }
}

import { SYNC_FIELDS } from '../../../../src/vocabulary/row-fields.ts';
import type { SyncType } from '../../../../src/vocabulary/syncs.ts';

export function standardColumns(type: SyncType): readonly string[] {
  return Object.entries(SYNC_FIELDS[type]).flatMap(([name, { standard }]) => (standard ? [name] : []));
}

/** With the column at the end, or without it. */
export function toggledColumn(columns: readonly string[], name: string): readonly string[] {
  return columns.includes(name) ? columns.filter((one) => one !== name) : [...columns, name];
}

/** One position up or down; unchanged at the ends. */
export function movedColumn(columns: readonly string[], name: string, by: -1 | 1): readonly string[] {
  const at = columns.indexOf(name);
  const other = columns[at + by];
  if (at < 0 || other === undefined) return columns;
  return columns.map((one) => (one === name ? other : one === other ? name : one));
}

import type { JsonObject } from '../shared/json.ts';
import type { SimulatedField, SimulatedRecord, SimulatedTable } from './table.ts';

/** A record as the vendor shows it: no empty cells, and the time in whole seconds. */
export function recordJson(
  table: SimulatedTable,
  { id, created, cells }: SimulatedRecord,
  { byId, fields = table.fields }: { readonly byId: boolean; readonly fields?: readonly SimulatedField[] },
): JsonObject {
  const shown = fields.flatMap((field) => {
    const cell = cells.get(field.id);
    return cell === undefined ? [] : [[byId ? field.id : field.name, cell] as const];
  });
  const second = Math.floor(created / 1000) * 1000;
  return { id, createdTime: new Date(second).toISOString(), fields: Object.fromEntries(shown) };
}

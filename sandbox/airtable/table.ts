import { isRecord, type JsonObject } from '../shared/json.ts';
import { FIELD_TYPES, type FieldType, fieldType } from './field-types.ts';

export type Cell = string | number | true | readonly string[];

export interface SimulatedField {
  readonly id: string;
  name: string;
  type: FieldType;
  description: string | null;
  options: JsonObject | undefined;
}

export interface SimulatedRecord {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly created: number;
  /** By the ids of the columns; without empty cells. */
  readonly cells: Map<string, Cell>;
}

/** A table of a simulated base: columns, and records in the order of creation. */
export class SimulatedTable {
  readonly id: string;
  name: string;
  description: string | null;
  fields: SimulatedField[];
  readonly #records = new Map<string, SimulatedRecord>();
  /** Records by their values, for columns that were merged on. */
  readonly #shown = new Map<string, Map<string, Set<SimulatedRecord>>>();

  constructor(id: string, name: string, description: string | null, fields: SimulatedField[]) {
    this.id = id;
    this.name = name;
    this.description = description;
    this.fields = fields;
  }

  get records(): IterableIterator<SimulatedRecord> {
    return this.#records.values();
  }

  get size(): number {
    return this.#records.size;
  }

  record(id: string): SimulatedRecord | null {
    return this.#records.get(id) ?? null;
  }

  /** By id or name. */
  field(name: string): SimulatedField | null {
    return this.fields.find((field) => field.id === name || field.name === name) ?? null;
  }

  add(record: SimulatedRecord): void {
    this.#records.set(record.id, record);
    for (const [field, shown] of this.#shown) note(shown, record.cells.get(field), record);
  }

  delete(id: string): boolean {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    for (const [field, shown] of this.#shown) shown.get(keyOf(record.cells.get(field)))?.delete(record);
    return this.#records.delete(id);
  }

  set(record: SimulatedRecord, field: string, cell: Cell | null): void {
    const shown = this.#shown.get(field);
    shown?.get(keyOf(record.cells.get(field)))?.delete(record);
    if (cell === null) record.cells.delete(field);
    else record.cells.set(field, cell);
    if (shown !== undefined) note(shown, cell ?? undefined, record);
  }

  /** Records with this value in the column. */
  showing(field: string, cell: Cell | null): readonly SimulatedRecord[] {
    let shown = this.#shown.get(field);
    if (shown === undefined) {
      shown = new Map();
      for (const record of this.records) note(shown, record.cells.get(field), record);
      this.#shown.set(field, shown);
    }
    return [...(shown.get(keyOf(cell ?? undefined)) ?? [])];
  }

  /** Removes a column with everything in it. */
  removeField(id: string): void {
    this.fields = this.fields.filter((field) => field.id !== id);
    this.#shown.delete(id);
    for (const record of this.records) record.cells.delete(id);
  }

  /** For the state file. */
  read(): JsonObject {
    return {
      id: this.id,
      name: this.name,
      description: this.description,
      fields: this.fields.map(({ options, ...field }) => ({ ...field, options: options ?? null })),
      records: [...this.records].map(({ id, created, cells }) => [id, created, Object.fromEntries(cells)]),
    };
  }
}

/** Restores what `read` wrote; null if it is malformed. */
export function tableFrom(state: unknown): SimulatedTable | null {
  if (!isRecord(state) || !Array.isArray(state.fields) || !Array.isArray(state.records)) return null;
  const { id, name, description } = state;
  if (typeof id !== 'string' || typeof name !== 'string') return null;
  const fields = state.fields.flatMap((field: unknown) => fieldFrom(field) ?? []);
  const table = new SimulatedTable(id, name, typeof description === 'string' ? description : null, fields);
  for (const entry of state.records) {
    const [record, created, cells]: unknown[] = Array.isArray(entry) ? entry : [];
    if (typeof record !== 'string' || typeof created !== 'number' || !isRecord(cells)) return null;
    const kept = Object.entries(cells).flatMap(([key, cell]) => (isCell(cell) ? [[key, cell] as const] : []));
    table.add({ id: record, created, cells: new Map(kept) });
  }
  return table;
}

function fieldFrom(state: unknown): SimulatedField | null {
  if (!isRecord(state)) return null;
  const { id, name, description, options } = state;
  const type = fieldType(state.type);
  if (typeof id !== 'string' || typeof name !== 'string' || type === null) return null;
  return {
    id,
    name,
    type,
    description: typeof description === 'string' ? description : null,
    options: isOptions(options) ? options : undefined,
  };
}

function isOptions(value: unknown): value is JsonObject {
  return isRecord(value);
}

function isCell(value: unknown): value is Cell {
  const scalar = typeof value === 'string' || typeof value === 'number' || value === true;
  return scalar || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

/** Text by which a cell is compared with others. */
function keyOf(cell: Cell | undefined): string {
  return cell === undefined ? '' : JSON.stringify(cell);
}

function note(
  shown: Map<string, Set<SimulatedRecord>>,
  cell: Cell | undefined,
  record: SimulatedRecord,
): void {
  const key = keyOf(cell);
  const records = shown.get(key) ?? new Set();
  shown.set(key, records.add(record));
}

/** Whether records may be merged on the column. */
export const mergesOn = ({ type }: SimulatedField): boolean => FIELD_TYPES[type].merge;

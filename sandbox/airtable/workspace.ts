import { isRecord, type JsonObject } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import { type FieldType, optionsOf } from './field-types.ts';
import { type SimulatedField, SimulatedTable, tableFrom } from './table.ts';

export const PERMISSIONS = ['none', 'read', 'comment', 'edit', 'create'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface SimulatedBase {
  readonly id: string;
  readonly name: string;
  permission: Permission;
  tables: SimulatedTable[];
}

const ID_KINDS = ['app', 'tbl', 'fld', 'rec', 'sel', 'viw'] as const;
type IdKind = (typeof ID_KINDS)[number];

/** The bases of the only person, as far as they granted access. */
export class Workspace {
  readonly #seed: number;
  #made = 0;
  #bases: SimulatedBase[] = [];

  constructor(seed: number) {
    this.#seed = seed;
    const household = this.addBase('Household', 'create');
    this.addTable(household, 'Table 1', null, [this.newField('Name', 'singleLineText')]);
    const club = this.addBase('Club accounts', 'read');
    this.addTable(club, 'Members', null, [this.newField('Name', 'singleLineText')]);
  }

  get bases(): readonly SimulatedBase[] {
    return this.#bases;
  }

  base(id: string): SimulatedBase | null {
    return this.#bases.find((base) => base.id === id) ?? null;
  }

  addBase(name: string, permission: Permission): SimulatedBase {
    const base: SimulatedBase = { id: this.newId('app'), name, permission, tables: [] };
    this.#bases.push(base);
    return base;
  }

  removeBase(id: string): boolean {
    const before = this.#bases.length;
    this.#bases = this.#bases.filter((base) => base.id !== id);
    return this.#bases.length < before;
  }

  addTable(
    base: SimulatedBase,
    name: string,
    description: string | null,
    fields: SimulatedField[],
  ): SimulatedTable {
    const table = new SimulatedTable(this.newId('tbl'), name, description, fields);
    base.tables.push(table);
    return table;
  }

  newField(
    name: string,
    type: FieldType,
    more: { readonly description?: string | null; readonly options?: unknown } = {},
  ): SimulatedField {
    const { description = null, options } = more;
    return {
      id: this.newId('fld'),
      name,
      type,
      description,
      options: optionsOf(type, options, () => this.newId('sel')),
    };
  }

  /** Three letters and fourteen more characters, as the vendor's. */
  newId(kind: IdKind): string {
    this.#made += 1;
    return `${kind}${digest(this.#seed, kind, this.#made).slice(0, 14)}`;
  }

  /** For the state file. */
  read(): JsonObject {
    const bases = this.#bases.map(({ id, name, permission, tables }) => ({
      id,
      name,
      permission,
      tables: tables.map((table) => table.read()),
    }));
    return { made: this.#made, bases };
  }

  /** Restores what an earlier run saved; false if it is malformed. */
  restore(state: unknown): boolean {
    if (!isRecord(state) || typeof state.made !== 'number' || !Array.isArray(state.bases)) return false;
    const bases: SimulatedBase[] = [];
    for (const entry of state.bases) {
      if (!isRecord(entry) || !Array.isArray(entry.tables)) return false;
      const { id, name } = entry;
      const permission = PERMISSIONS.find((one) => one === entry.permission);
      if (typeof id !== 'string' || typeof name !== 'string' || permission === undefined) return false;
      const tables = entry.tables.flatMap((table: unknown) => tableFrom(table) ?? []);
      bases.push({ id, name, permission, tables });
    }
    this.#made = state.made;
    this.#bases = bases;
    return true;
  }
}

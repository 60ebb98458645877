import type { AuthorizationServer } from '../shared/authorization-server.ts';
import { ControlError, SimulatorControl } from '../shared/control.ts';
import type { Faults } from '../shared/faults.ts';
import type { JsonObject } from '../shared/json.ts';
import type { RequestLog } from '../shared/request-log.ts';
import type { ReceivedRow, ReceivedRows } from '../shared/simulator.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { FieldType } from './field-types.ts';
import type { Plan, PlanLimits } from './plan-limits.ts';
import { type Records, recordJson } from './records.ts';
import { isSameName, type Schema } from './schema.ts';
import { PERSON, type SignIn } from './sign-in.ts';
import type { SimulatedField, SimulatedRecord, SimulatedTable } from './table.ts';
import { cellOf } from './typing.ts';
import type { Permission, SimulatedBase, Workspace } from './workspace.ts';

/** The column that identifies rows. */
const ID_HEADER = 'Transaction ID';

interface Parts {
  readonly authorizationServer: AuthorizationServer;
  readonly signIn: SignIn;
  readonly workspace: Workspace;
  readonly limits: PlanLimits;
  readonly schema: Schema;
  readonly records: Records;
  readonly faults: Faults;
  readonly log: RequestLog;
}

/** What a person or a test may do at the simulated Airtable. Methods throw {@link ControlError} on bad input. */
export class AirtableControl extends SimulatorControl implements ReceivedRows {
  readonly #parts: Parts;
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(parts: Parts, now: () => number, changed: () => void) {
    super(parts.faults, parts.log);
    this.#parts = parts;
    this.#now = now;
    this.#changed = changed;
  }

  /** Every base with its tables and their columns. */
  bases(): readonly JsonObject[] {
    return this.#parts.workspace.bases.map(({ id, name, permission, tables }) => ({
      id,
      name,
      permission,
      tables: tables.map((table) => ({
        id: table.id,
        name: table.name,
        description: table.description,
        fields: table.fields.map(({ id: field, name: column, type }) => ({ id: field, name: column, type })),
        records: table.size,
      })),
    }));
  }

  /** The columns of a table, in their order. */
  fields(table: string): readonly Readonly<Pick<SimulatedField, 'id' | 'name' | 'type'>>[] {
    return this.#table(table).fields.map(({ id, name, type }) => ({ id, name, type }));
  }

  /** The records of a table, by the names of the columns. */
  records(table: string): readonly JsonObject[] {
    const found = this.#table(table);
    return [...found.records].map((record) => recordJson(found, record, { byId: false }));
  }

  /** Rows in tables that have a column of their ids. */
  rows(): readonly ReceivedRow[] {
    return this.#tables().flatMap((table) => {
      const column = table.fields.find(({ name }) => name === ID_HEADER);
      if (column === undefined) return [];
      return [...table.records].flatMap((record): ReceivedRow[] => {
        const id = record.cells.get(column.id);
        return id === undefined ? [] : [{ id: String(id), place: table.id, values: valuesOf(table, record) }];
      });
    });
  }

  pages(): readonly string[] {
    const filled = this.#parts.workspace.bases.flatMap(({ id, tables }) =>
      tables.filter(({ size }) => size > 0).map((table) => `/${id}/${table.id}`),
    );
    return ['/bases', ...filled];
  }

  /** The id of a new base without tables. */
  addBase(name: string, permission: Permission = 'create'): string {
    const { id } = this.#parts.workspace.addBase(name, permission);
    this.#changed();
    return id;
  }

  /** The id of a new table with these columns, the first of which is the primary one. */
  addTable(
    baseId: string,
    name: string,
    columns: readonly { readonly name: string; readonly type: FieldType; readonly options?: unknown }[],
  ): string {
    const base = this.#base(baseId);
    if (base.tables.some((table) => isSameName(table.name, name)))
      throw new ControlError('The name is taken.');
    const fields = columns.map(({ name: column, type, options }) =>
      refusable(() => this.#parts.workspace.newField(column, type, { options })),
    );
    const { id } = this.#parts.workspace.addTable(base, name, null, fields);
    this.#changed();
    return id;
  }

  /** The id of a new record with these cells, by the names of the columns. */
  addRecord(tableId: string, cells: Readonly<Record<string, unknown>>): string {
    const table = this.#table(tableId);
    const id = this.#parts.workspace.newId('rec');
    const record: SimulatedRecord = { id, created: this.#now(), cells: new Map() };
    table.add(record);
    this.#fill(table, record, cells);
    return id;
  }

  /** The id of a copy, as a person makes one. */
  copyRecord(recordId: string): string {
    const { table, record } = this.#record(recordId);
    const copy = {
      id: this.#parts.workspace.newId('rec'),
      created: this.#now(),
      cells: new Map(record.cells),
    };
    table.add(copy);
    this.#changed();
    return copy.id;
  }

  editRecord(recordId: string, cells: Readonly<Record<string, unknown>>): void {
    const { table, record } = this.#record(recordId);
    this.#fill(table, record, cells);
  }

  deleteRecord(recordId: string): void {
    this.#record(recordId).table.delete(recordId);
    this.#changed();
  }

  renameTable(tableId: string, name: string): void {
    this.#table(tableId).name = name;
    this.#changed();
  }

  deleteTable(tableId: string): void {
    const base = this.#parts.workspace.bases.find(({ tables }) => tables.some(({ id }) => id === tableId));
    if (base === undefined) throw new ControlError('There is no such table.');
    base.tables = base.tables.filter(({ id }) => id !== tableId);
    this.#changed();
  }

  deleteBase(baseId: string): void {
    if (!this.#parts.workspace.removeBase(baseId)) throw new ControlError('There is no such base.');
    this.#changed();
  }

  setPermission(baseId: string, permission: Permission): void {
    this.#base(baseId).permission = permission;
    this.#changed();
  }

  renameField(fieldId: string, name: string): void {
    this.#field(fieldId).field.name = name;
    this.#changed();
  }

  /** Moves a column to another position, counted from 0. */
  moveField(fieldId: string, to: number): void {
    const { table, field } = this.#field(fieldId);
    const others = table.fields.filter(({ id }) => id !== fieldId);
    table.fields = [...others.slice(0, to), field, ...others.slice(to)];
    this.#changed();
  }

  deleteField(fieldId: string): void {
    this.#field(fieldId).table.removeField(fieldId);
    this.#changed();
  }

  /** Gives a column another type. Its cells stay as they are. */
  retypeField(fieldId: string, type: FieldType, options?: unknown): void {
    const { field } = this.#field(fieldId);
    const made = refusable(() => this.#parts.workspace.newField(field.name, type, { options }));
    field.type = type;
    field.options = made.options;
    this.#changed();
  }

  /** As the person does in the settings of the account. */
  revokeGrants(): void {
    this.#parts.authorizationServer.revokeSubject(PERSON);
  }

  grants(): number {
    return this.#parts.authorizationServer.count;
  }

  setPlan(plan: Partial<Plan>): void {
    const { limits } = this.#parts;
    limits.plan = { ...limits.plan, ...plan };
  }

  /** Texts that no column accepts from now on: a record with one of them is refused. */
  refuseTexts(texts: readonly string[]): void {
    this.#parts.records.refusedTexts = new Set(texts);
  }

  /** How many bases are listed at once. */
  setBasesAPage(count: number): void {
    this.#parts.schema.basesAPage = count;
  }

  /** Calls of this month, calls over the rate, and refresh tokens that were used after they were no longer valid. */
  usage(): { readonly calls: number; readonly refused: number; readonly refusedRenewals: number } {
    const { limits, signIn } = this.#parts;
    return { calls: limits.calls, refused: limits.refused, refusedRenewals: signIn.refusedRenewals };
  }

  override clear(): void {
    super.clear();
    this.#parts.limits.clear();
  }

  #tables(): readonly SimulatedTable[] {
    return this.#parts.workspace.bases.flatMap(({ tables }) => tables);
  }

  #base(id: string): SimulatedBase {
    const base = this.#parts.workspace.base(id);
    if (base === null) throw new ControlError('There is no such base.');
    return base;
  }

  #table(id: string): SimulatedTable {
    const table = this.#tables().find((one) => one.id === id);
    if (table === undefined) throw new ControlError('There is no such table.');
    return table;
  }

  #record(id: string): { readonly table: SimulatedTable; readonly record: SimulatedRecord } {
    for (const table of this.#tables()) {
      const record = table.record(id);
      if (record !== null) return { table, record };
    }
    throw new ControlError('There is no such record.');
  }

  #field(id: string): { readonly table: SimulatedTable; readonly field: SimulatedField } {
    for (const table of this.#tables()) {
      const field = table.fields.find((one) => one.id === id);
      if (field !== undefined) return { table, field };
    }
    throw new ControlError('There is no such column.');
  }

  #fill(table: SimulatedTable, record: SimulatedRecord, cells: Readonly<Record<string, unknown>>): void {
    const typing = { typecast: true, newId: () => this.#parts.workspace.newId('sel') };
    for (const [name, value] of Object.entries(cells)) {
      const field = table.field(name);
      if (field === null) throw new ControlError(`There is no column ${name}.`);
      table.set(
        record,
        field.id,
        refusable(() => cellOf(field, value, typing)),
      );
    }
    this.#changed();
  }
}

function valuesOf(table: SimulatedTable, { cells }: SimulatedRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(
    table.fields.flatMap(({ id, name }) => {
      const cell = cells.get(id);
      return cell === undefined ? [] : [[name, String(cell)] as const];
    }),
  );
}

/** Anything the vendor would refuse is bad input here. */
function refusable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof VendorError ? new ControlError(error.message) : error;
  }
}

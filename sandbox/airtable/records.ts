import { isRecord, type Json, type JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { invalidRequest, unknownField } from './errors.ts';
import { bodyOf, booleanOf, queryOf, textsOf } from './request-body.ts';
import {
  type Cell,
  mergesOn,
  type SimulatedField,
  type SimulatedRecord,
  type SimulatedTable,
} from './table.ts';
import { cellOf } from './typing.ts';
import type { SimulatedBase, Workspace } from './workspace.ts';

const MOST_RECORDS = 10;
const MOST_MERGE_FIELDS = 3;

interface SentRecord {
  readonly id: string | null;
  readonly cells: ReadonlyMap<SimulatedField, Cell | null>;
}

/** Where the records of a request are. */
export interface RecordPlace {
  readonly base: SimulatedBase;
  readonly table: SimulatedTable;
}

/** Creating, changing and removing records, at most ten per call; all of a call or none. */
export class Records {
  readonly #workspace: Workspace;
  readonly #now: () => number;
  readonly #room: (base: SimulatedBase) => number;
  /** Texts that no column accepts. */
  refusedTexts: ReadonlySet<string> = new Set();

  /** @param room how many more records a base may have */
  constructor(workspace: Workspace, now: () => number, room: (base: SimulatedBase) => number) {
    this.#workspace = workspace;
    this.#now = now;
    this.#room = room;
  }

  /** `POST /v0/{base}/{table}` */
  create(request: SimulatedRequest, { base, table }: RecordPlace): Reply {
    const body = bodyOf(request, ['records', 'fields', 'typecast', 'returnFieldsByFieldId']);
    const single = body.records === undefined;
    const sent = this.#sent(table, single ? [{ fields: body.fields }] : body.records, body);
    if (sent.some(({ id }) => id !== null)) throw invalidRequest('New records have no id.');
    this.#requireRoom(base, sent.length);
    const byId = booleanOf(body, 'returnFieldsByFieldId');
    const made = sent.map((one) => recordJson(table, this.#made(table, one), { byId }));
    return json(200, single ? (made[0] ?? null) : { records: made });
  }

  /** `PATCH /v0/{base}/{table}`: an update, or an upsert. */
  update(request: SimulatedRequest, { base, table }: RecordPlace): Reply {
    const body = bodyOf(request, ['records', 'performUpsert', 'typecast', 'returnFieldsByFieldId']);
    const mergeOn = mergeFields(table, body.performUpsert);
    const sent = this.#sent(table, body.records, body);
    const targets = sent.map((one) => this.#target(table, one, mergeOn));
    this.#requireRoom(base, targets.filter((target) => target === null).length);
    const created: string[] = [];
    const updated: string[] = [];
    const answers = sent.map((one, at): Json => {
      const target = targets[at] ?? null;
      const record = target ?? this.#made(table, one);
      if (target === null) created.push(record.id);
      else {
        updated.push(record.id);
        fill(table, record, one);
      }
      return recordJson(table, record, { byId: booleanOf(body, 'returnFieldsByFieldId') });
    });
    const upserted = mergeOn === null ? {} : { createdRecords: created, updatedRecords: updated };
    return json(200, { records: answers, ...upserted });
  }

  /** `DELETE /v0/{base}/{table}?records[]=…` */
  delete({ query }: SimulatedRequest, { table }: RecordPlace): Reply {
    const ids = textsOf(queryOf(query), 'records');
    if (ids.length === 0 || ids.length > MOST_RECORDS) throw tooMany(ids.length);
    if (ids.some((id) => table.record(id) === null))
      throw new VendorError(404, 'NOT_FOUND', 'Could not find a record.');
    for (const id of ids) table.delete(id);
    return json(200, { records: ids.map((id) => ({ id, deleted: true })) });
  }

  /** `DELETE /v0/{base}/{table}/{record}` */
  deleteOne({ params: { record = '' } }: SimulatedRequest, { table }: RecordPlace): Reply {
    if (!table.delete(record)) throw new VendorError(404, 'NOT_FOUND', 'Could not find the record.');
    return json(200, { id: record, deleted: true });
  }

  #sent(
    table: SimulatedTable,
    records: unknown,
    body: Readonly<Record<string, unknown>>,
  ): readonly SentRecord[] {
    if (!Array.isArray(records)) throw invalidRequest('"records" must be a list.');
    if (records.length === 0 || records.length > MOST_RECORDS) throw tooMany(records.length);
    const typing = { typecast: booleanOf(body, 'typecast'), newId: () => this.#workspace.newId('sel') };
    return records.map((record: unknown): SentRecord => {
      if (!isRecord(record) || !isRecord(record.fields)) throw invalidRequest('A record needs fields.');
      const { id = null } = record;
      if (id !== null && typeof id !== 'string') throw invalidRequest('The id of a record is a text.');
      const cells = new Map<SimulatedField, Cell | null>();
      for (const [name, value] of Object.entries(record.fields)) {
        const field = table.field(name);
        if (field === null) throw unknownField(name);
        if (typeof value === 'string' && this.refusedTexts.has(value))
          throw new VendorError(
            422,
            'INVALID_VALUE_FOR_COLUMN',
            `Field "${name}" cannot accept the provided value`,
          );
        cells.set(field, cellOf(field, value, typing));
      }
      return { id, cells };
    });
  }

  /** The record that is changed; null if one is created. */
  #target(
    table: SimulatedTable,
    { id, cells }: SentRecord,
    mergeOn: readonly SimulatedField[] | null,
  ): SimulatedRecord | null {
    if (id !== null) {
      const record = table.record(id);
      if (record !== null) return record;
      throw new VendorError(422, 'ROW_DOES_NOT_EXIST', `Record ID ${id} does not exist in this table`);
    }
    const [first, ...others] = mergeOn ?? [];
    if (first === undefined) throw invalidRequest('A record to be updated needs an id.');
    const found = table
      .showing(first.id, cells.get(first) ?? null)
      .filter((record) => others.every((field) => record.cells.get(field.id) === cells.get(field)));
    if (found.length > 1)
      throw invalidRequest(`Multiple records match the fields to merge on: ${found.map((one) => one.id)}`);
    return found[0] ?? null;
  }

  #made(table: SimulatedTable, sent: SentRecord): SimulatedRecord {
    const record = { id: this.#workspace.newId('rec'), created: this.#now(), cells: new Map<string, Cell>() };
    table.add(record);
    fill(table, record, sent);
    return record;
  }

  #requireRoom(base: SimulatedBase, wanted: number): void {
    if (wanted > this.#room(base))
      throw new VendorError(
        422,
        'RECORD_LIMIT_EXCEEDED',
        'The base holds as many records as the plan of its workspace allows.',
      );
  }
}

function fill(table: SimulatedTable, record: SimulatedRecord, { cells }: SentRecord): void {
  for (const [field, cell] of cells) table.set(record, field.id, cell);
}

function mergeFields(table: SimulatedTable, upsert: unknown): readonly SimulatedField[] | null {
  if (upsert === undefined) return null;
  if (!isRecord(upsert)) throw invalidRequest('"performUpsert" must be an object.');
  const names = textsOf(upsert, 'fieldsToMergeOn');
  if (names.length === 0 || names.length > MOST_MERGE_FIELDS)
    throw invalidRequest('"fieldsToMergeOn" names one to three fields.');
  return names.map((name) => {
    const field = table.field(name);
    if (field === null) throw unknownField(name);
    if (!mergesOn(field)) throw invalidRequest(`Records cannot be merged on "${name}".`);
    return field;
  });
}

function tooMany(count: number): VendorError {
  return new VendorError(
    422,
    'INVALID_RECORDS',
    `1 to 10 records can be sent with a request, and there are ${count}.`,
  );
}

/** A record as shown by the vendor: without empty cells, and with the time in whole seconds. */
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

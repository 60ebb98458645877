import { type Static, type TSchema, Type } from 'typebox';
import type { Quota, QuotaUse } from '../../../platform/quotas.ts';
import type { DestinationAccess } from '../destination-contract.ts';
import { PERSON_WAIT_MS, RUN_WAIT_MS, type VendorCall, type VendorClient } from '../kit/vendor-client.ts';

const text = Type.String();

const WhoAmI = Type.Object({ id: Type.String({ minLength: 1 }) });

const Bases = Type.Object({
  bases: Type.Array(Type.Object({ id: text, name: text, permissionLevel: Type.Optional(text) })),
  offset: Type.Optional(text),
});

const Field = Type.Object({ id: text, name: text, type: text, description: Type.Optional(text) });
/** A column as the metadata API describes it. */
export type Field = Static<typeof Field>;
const CreatedField = Field;

const Table = Type.Object({
  id: text,
  name: text,
  description: Type.Optional(text),
  fields: Type.Array(Field),
});
export type Table = Static<typeof Table>;
const CreatedTable = Table;
const Tables = Type.Object({ tables: Type.Array(Table) });

const StoredRecord = Type.Object({
  id: text,
  createdTime: text,
  fields: Type.Record(text, Type.Unknown()),
});
/** A record as it is in a table; its fields by their ids, empty ones left out. */
export type StoredRecord = Static<typeof StoredRecord>;

const Listed = Type.Object({ records: Type.Array(StoredRecord), offset: Type.Optional(text) });
const Upserted = Type.Object({
  records: Type.Array(StoredRecord),
  updatedRecords: Type.Array(text),
  createdRecords: Type.Array(text),
});
const Deleted = Type.Object({ records: Type.Array(Type.Object({ id: text })) });

/** A column to create. */
export interface NewField {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A record to write: by its id, or else by the value of the merge column. */
export interface NewRecord {
  readonly id?: string;
  readonly fields: Readonly<Record<string, string | number | null>>;
}

/**
 * Four calls a second of the five that Airtable allows each base, evenly spread: exceeding five would cost half a
 * minute. The window is 100 ms shorter, because every call counts that much longer than its window.
 */
const BASE_QUOTA: Quota = { name: 'airtable-base', amount: 1, windowMs: 150 };
/** Over all bases of the person who granted. */
const PERSON_QUOTA: Quota = { name: 'airtable-person', amount: 50, windowMs: 1_000 };
/** The most records of one writing call, of one deleting call, and of a page of a listing one. */
export const BATCH_RECORDS = 10;
const PAGE_RECORDS = 100;
/** A listing with more than this is not a valid answer. */
const MOST_PAGES = 1_000;

export interface AirtableAccess {
  readonly access: DestinationAccess;
  readonly signal: AbortSignal;
  /**
   * A run waits longer than a person does, and also counts against the base. A person may name any base, even one that
   * belongs to someone else, whose runs must not wait because of that.
   */
  readonly askedBy: 'run' | 'person';
}

/** Where records are. */
export interface TablePlace {
  readonly base: string;
  readonly table: string;
}

interface UpsertedRecords {
  readonly records: readonly StoredRecord[];
  readonly createdRecords: readonly string[];
}

/** The calls of Airtable's API that are needed here. Tables and columns are named by their ids. Raises DestinationFailure. */
export class AirtableApi {
  readonly #client: VendorClient;

  constructor(client: VendorClient) {
    this.#client = client;
  }

  async whoAmI(by: AirtableAccess): Promise<string> {
    return (await this.#read(by, null, 'GET', '/v0/meta/whoami', WhoAmI)).id;
  }

  /** Page by page. */
  async *bases(by: AirtableAccess): AsyncGenerator<Static<typeof Bases>['bases']> {
    let offset: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = offset === undefined ? [] : [['offset', offset] as const];
      const found = await this.#read(by, null, 'GET', '/v0/meta/bases', Bases, { query });
      yield found.bases;
      if (found.offset === undefined) return;
      offset = found.offset;
    }
  }

  async tables(by: AirtableAccess, base: string): Promise<readonly Table[]> {
    return (await this.#read(by, base, 'GET', tablesOf(base), Tables)).tables;
  }

  /**
   * Refused with a word of TAKEN_NAMES if the name is taken, so a second attempt creates no second column. A failure
   * leaves no unconfirmed row.
   */
  createField(by: AirtableAccess, { base, table }: TablePlace, field: NewField): Promise<Field> {
    const path = `${tablesOf(base)}/${encodeURIComponent(table)}/fields`;
    return this.#read(by, base, 'POST', path, CreatedField, { body: field });
  }

  /** The change is idempotent and affects no row. */
  describeField(
    by: AirtableAccess,
    { base, table }: TablePlace,
    field: string,
    description: string,
  ): Promise<Field> {
    const path = `${tablesOf(base)}/${encodeURIComponent(table)}/fields/${encodeURIComponent(field)}`;
    return this.#read(by, base, 'PATCH', path, CreatedField, { body: { description } });
  }

  createTable(
    by: AirtableAccess,
    base: string,
    table: { readonly name: string; readonly description: string; readonly fields: readonly NewField[] },
  ): Promise<Table> {
    return this.#call(by, base, {
      method: 'POST',
      path: tablesOf(base),
      body: table,
      expect: CreatedTable,
      writes: true,
      repeatable: false,
    });
  }

  /** At most BATCH_RECORDS. Records without an id are found by the column `mergeOn`, and created if none is found. */
  upsert(
    by: AirtableAccess,
    place: TablePlace,
    mergeOn: string,
    records: readonly NewRecord[],
  ): Promise<UpsertedRecords> {
    return this.#call(by, place.base, {
      method: 'PATCH',
      path: pathOf(place),
      body: {
        performUpsert: { fieldsToMergeOn: [mergeOn] },
        typecast: true,
        returnFieldsByFieldId: true,
        records,
      },
      expect: Upserted,
      writes: true,
      repeatable: true,
    });
  }

  /** Every record that matches the formula, with only these columns; oldest first. */
  async list(
    by: AirtableAccess,
    place: TablePlace,
    wanted: { readonly formula: string; readonly fields: readonly string[] },
  ): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = [];
    let pages = 0;
    for await (const page of this.pages(by, place, wanted)) {
      records.push(...page);
      if (++pages >= MOST_PAGES) break;
    }
    return records.toSorted((a, b) => Date.parse(a.createdTime) - Date.parse(b.createdTime));
  }

  /** Records page by page, as long as there are more; with a formula, those that match it. */
  async *pages(
    by: AirtableAccess,
    place: TablePlace,
    { formula, fields }: { readonly formula?: string; readonly fields: readonly string[] },
  ): AsyncGenerator<readonly StoredRecord[]> {
    // A list of ids is too long for a URL.
    const path = `${pathOf(place)}/listRecords`;
    let offset: string | undefined;
    do {
      const body = {
        ...(formula === undefined ? {} : { filterByFormula: formula }),
        fields,
        pageSize: PAGE_RECORDS,
        returnFieldsByFieldId: true,
        ...(offset === undefined ? {} : { offset }),
      };
      const found: Static<typeof Listed> = await this.#read(by, place.base, 'POST', path, Listed, { body });
      yield found.records;
      offset = found.offset;
    } while (offset !== undefined);
  }

  /** At most BATCH_RECORDS. */
  async delete(by: AirtableAccess, place: TablePlace, ids: readonly string[]): Promise<void> {
    await this.#call(by, place.base, {
      method: 'DELETE',
      path: pathOf(place),
      query: ids.map((id) => ['records[]', id] as const),
      expect: Deleted,
      writes: true,
      repeatable: true,
    });
  }

  #read<T extends TSchema>(
    by: AirtableAccess,
    base: string | null,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    expect: T,
    more: Pick<VendorCall<T>, 'query' | 'body'> = {},
  ): Promise<Static<T>> {
    return this.#call(by, base, { method, path, expect, writes: false, repeatable: true, ...more });
  }

  #call<T extends TSchema>(
    { access, signal, askedBy }: AirtableAccess,
    base: string | null,
    call: Omit<VendorCall<T>, 'quotas' | 'signal' | 'longestWaitMs'>,
  ): Promise<Static<T>> {
    const quotas = (holder: string): readonly QuotaUse[] => [
      ...(base === null || askedBy === 'person' ? [] : [{ quota: BASE_QUOTA, key: base }]),
      { quota: PERSON_QUOTA, key: holder },
    ];
    const longestWaitMs = askedBy === 'person' ? PERSON_WAIT_MS : RUN_WAIT_MS;
    return this.#client.call(access, { ...call, quotas, signal, longestWaitMs });
  }
}

const tablesOf = (base: string): string => `/v0/meta/bases/${encodeURIComponent(base)}/tables`;
const pathOf = ({ base, table }: TablePlace): string =>
  `/v0/${encodeURIComponent(base)}/${encodeURIComponent(table)}`;

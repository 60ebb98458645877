import { type Static, Type } from 'typebox';

const text = Type.String();

export const WhoAmI = Type.Object({ id: Type.String({ minLength: 1 }) });

export const Bases = Type.Object({
  bases: Type.Array(Type.Object({ id: text, name: text, permissionLevel: Type.Optional(text) })),
  offset: Type.Optional(text),
});

const Field = Type.Object({ id: text, name: text, type: text, description: Type.Optional(text) });
/** A column as the metadata API describes it. */
export type Field = Static<typeof Field>;
export const CreatedField = Field;

const Table = Type.Object({
  id: text,
  name: text,
  description: Type.Optional(text),
  fields: Type.Array(Field),
});
export type Table = Static<typeof Table>;
export const CreatedTable = Table;
export const Tables = Type.Object({ tables: Type.Array(Table) });

const StoredRecord = Type.Object({
  id: text,
  createdTime: text,
  fields: Type.Record(text, Type.Unknown()),
});
/** A record as it is in a table; its fields by their ids, empty ones left out. */
export type StoredRecord = Static<typeof StoredRecord>;

export const Listed = Type.Object({ records: Type.Array(StoredRecord), offset: Type.Optional(text) });
export const Upserted = Type.Object({
  records: Type.Array(StoredRecord),
  updatedRecords: Type.Array(text),
  createdRecords: Type.Array(text),
});
export const Deleted = Type.Object({ records: Type.Array(Type.Object({ id: text })) });

/** A column to make. */
export interface NewField {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A record to write: by its id, or else by the value of the column that rows are merged on. */
export interface NewRecord {
  readonly id?: string;
  readonly fields: Readonly<Record<string, string | number | null>>;
}

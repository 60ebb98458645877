import { type Static, Type } from 'typebox';

/** The contents of a workspace, in the form in which they are stored between runs. Times are epoch milliseconds. */

const Times = { createdAt: Type.Number(), editedAt: Type.Number() };

export const PageRecord = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** The page it is on; null at the top of the workspace. */
  parent: Type.Union([Type.String(), Type.Null()]),
  /** Whether the person shared it with us; everything on a shared page is also shared. */
  shared: Type.Boolean(),
  inTrash: Type.Boolean(),
  ...Times,
});
export type PageRecord = Static<typeof PageRecord>;

export const DatabaseRecord = Type.Object({
  id: Type.String(),
  title: Type.String(),
  parent: Type.String(),
  shared: Type.Boolean(),
  inTrash: Type.Boolean(),
  sources: Type.Array(Type.String()),
  ...Times,
});
export type DatabaseRecord = Static<typeof DatabaseRecord>;

/** Types of properties that are simulated. */
export const PROPERTY_TYPES = ['title', 'rich_text', 'number', 'select', 'date', 'checkbox', 'url'] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

export const PropertyRecord = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  type: Type.Enum(PROPERTY_TYPES),
  /** Of a number. */
  format: Type.String(),
  /** Of a select: names in the order in which they were first used. */
  options: Type.Array(Type.String()),
});
export type PropertyRecord = Static<typeof PropertyRecord>;

export const SourceRecord = Type.Object({
  id: Type.String(),
  database: Type.String(),
  name: Type.String(),
  inTrash: Type.Boolean(),
  properties: Type.Array(PropertyRecord),
  ...Times,
});
export type SourceRecord = Static<typeof SourceRecord>;

/** Text: its pieces. Date: start and end, the end empty for none. Everything else as JSON has it; null for nothing. */
export const CellRecord = Type.Union([
  Type.Array(Type.String()),
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
]);
export type CellRecord = Static<typeof CellRecord>;

export const RowRecord = Type.Object({
  id: Type.String(),
  source: Type.String(),
  inTrash: Type.Boolean(),
  /** By the id of the property. */
  cells: Type.Record(Type.String(), CellRecord),
  ...Times,
});
export type RowRecord = Static<typeof RowRecord>;

export const WorkspaceRecord = Type.Object({
  /** Ids created so far. */
  made: Type.Number(),
  pages: Type.Array(PageRecord),
  databases: Type.Array(DatabaseRecord),
  sources: Type.Array(SourceRecord),
  rows: Type.Array(RowRecord),
});
export type WorkspaceRecord = Static<typeof WorkspaceRecord>;

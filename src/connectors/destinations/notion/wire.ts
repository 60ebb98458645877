import { type Static, Type } from 'typebox';

/** What is read of Notion's answers (API version 2025-09-03); other members are ignored. */

const Texts = Type.Array(Type.Object({ plain_text: Type.String() }));
const Trashed = { in_trash: Type.Optional(Type.Boolean()), archived: Type.Optional(Type.Boolean()) };

const Cell = Type.Object({
  id: Type.String(),
  type: Type.String(),
  title: Type.Optional(Texts),
  rich_text: Type.Optional(Texts),
  number: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  date: Type.Optional(
    Type.Union([
      Type.Object({
        start: Type.String(),
        end: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      Type.Null(),
    ]),
  ),
  select: Type.Optional(Type.Union([Type.Object({ name: Type.String() }), Type.Null()])),
});
/** The value of a property of a page; other types are ignored. */
export type CellAnswer = Static<typeof Cell>;

export const PageAnswer = Type.Object({
  id: Type.String(),
  ...Trashed,
});

export const RowAnswer = Type.Object({
  id: Type.String(),
  created_time: Type.String(),
  properties: Type.Record(Type.String(), Cell),
});
export type RowAnswer = Static<typeof RowAnswer>;

export const RowPageAnswer = Type.Object({
  results: Type.Array(RowAnswer),
  has_more: Type.Boolean(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  request_status: Type.Optional(Type.Object({ type: Type.String() })),
});

const Property = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
/** A column of a data source. */
export type PropertyAnswer = Static<typeof Property>;

export const DataSourceAnswer = Type.Object({
  id: Type.String(),
  properties: Type.Record(Type.String(), Property),
  ...Trashed,
});
export type DataSourceAnswer = Static<typeof DataSourceAnswer>;

export const DatabaseAnswer = Type.Object({
  id: Type.String(),
  data_sources: Type.Array(Type.Object({ id: Type.String() })),
  ...Trashed,
});
export type DatabaseAnswer = Static<typeof DatabaseAnswer>;

const Listed = { has_more: Type.Boolean(), next_cursor: Type.Union([Type.String(), Type.Null()]) };

export const FoundSources = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.Optional(Texts),
      url: Type.Optional(Type.String()),
      parent: Type.Optional(Type.Object({ database_id: Type.Optional(Type.String()) })),
      properties: Type.Record(Type.String(), Property),
      ...Trashed,
    }),
  ),
  ...Listed,
});

export const FoundPages = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      created_time: Type.Optional(Type.String()),
      parent: Type.Optional(Type.Object({ type: Type.String() })),
      ...Trashed,
    }),
  ),
  ...Listed,
});

export const ChildrenAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      child_database: Type.Optional(Type.Object({ title: Type.String() })),
      ...Trashed,
    }),
  ),
  ...Listed,
});

/** Who a token belongs to. */
export const TokenBody = Type.Object({
  bot_id: Type.String({ minLength: 1 }),
  workspace_name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** Earlier versions of the API call it archived. */
export function isTrashed(object: { readonly in_trash?: boolean; readonly archived?: boolean }): boolean {
  return object.in_trash ?? object.archived ?? false;
}

export function plainText(texts: Static<typeof Texts>): string {
  return texts.map(({ plain_text: text }) => text).join('');
}

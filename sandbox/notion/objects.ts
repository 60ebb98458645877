import type { Json, JsonObject } from '../shared/json.ts';
import { cellJson, optionId } from './cells.ts';
import type { DatabaseRecord, PageRecord, PropertyRecord, RowRecord, SourceRecord } from './records.ts';
import { richText } from './rich-text.ts';
import type { Workspace } from './workspace.ts';

const BOT = { object: 'user', id: '7f8d2c1e-5a4b-4c3d-8e9f-0a1b2c3d4e5f' } as const;
const MINUTE_MS = 60_000;

/** Times have minute precision. */
export function timeOf(epochMs: number): string {
  return new Date(Math.floor(epochMs / MINUTE_MS) * MINUTE_MS).toISOString();
}

function timesOf({ createdAt, editedAt }: { readonly createdAt: number; readonly editedAt: number }) {
  return { created_time: timeOf(createdAt), last_edited_time: timeOf(editedAt) };
}

const trashOf = (inTrash: boolean) => ({ in_trash: inTrash, archived: inTrash });
const urlOf = (id: string): string => `https://www.notion.so/${id.replaceAll('-', '')}`;

function pageRest(id: string, title: string) {
  return {
    icon: null,
    cover: null,
    created_by: BOT,
    last_edited_by: BOT,
    is_archived: false,
    is_locked: false,
    url: `${urlOf(id)}?t=${encodeURIComponent(title.slice(0, 20))}`,
    public_url: null,
  };
}

export function pageJson(page: PageRecord): JsonObject {
  const { id, title, parent, inTrash } = page;
  return {
    object: 'page',
    id,
    ...timesOf(page),
    ...trashOf(inTrash),
    ...pageRest(id, title),
    parent: parent === null ? { type: 'workspace', workspace: true } : { type: 'page_id', page_id: parent },
    properties: { title: { id: 'title', type: 'title', title: richText([title]) } },
  };
}

/** @param show ids of the properties to show; null for all */
export function rowJson(
  workspace: Workspace,
  row: RowRecord,
  source: SourceRecord,
  show: readonly string[] | null,
): JsonObject {
  const shown = source.properties.filter(({ id }) => show?.includes(id) ?? true);
  return {
    object: 'page',
    id: row.id,
    ...timesOf(row),
    ...trashOf(row.inTrash || workspace.isBelowTrash(row.id)),
    ...pageRest(row.id, ''),
    parent: { type: 'data_source_id', data_source_id: source.id, database_id: source.database },
    properties: Object.fromEntries(
      shown.map((property) => [property.name, cellJson(property, row.cells[property.id])]),
    ),
  };
}

export function databaseJson(workspace: Workspace, database: DatabaseRecord): JsonObject {
  const { id, title, parent, sources } = database;
  return {
    object: 'database',
    id,
    title: richText([title]),
    description: [],
    parent: { type: 'page_id', page_id: parent },
    is_inline: false,
    is_locked: false,
    ...trashOf(database.inTrash || workspace.isBelowTrash(id)),
    ...timesOf(database),
    data_sources: sources.flatMap((one): Json[] => {
      const source = workspace.sources.get(one);
      return source === undefined || source.inTrash ? [] : [{ id: source.id, name: source.name }];
    }),
    icon: null,
    cover: null,
    url: urlOf(id),
    public_url: null,
  };
}

export function sourceJson(workspace: Workspace, source: SourceRecord): JsonObject {
  const { id, database, name, properties } = source;
  const parent = workspace.databases.get(database)?.parent ?? '';
  return {
    object: 'data_source',
    id,
    title: richText([name]),
    description: [],
    parent: { type: 'database_id', database_id: database },
    database_parent: { type: 'page_id', page_id: parent },
    is_inline: false,
    ...trashOf(source.inTrash || workspace.isBelowTrash(id)),
    ...timesOf(source),
    created_by: BOT,
    last_edited_by: BOT,
    properties: Object.fromEntries(properties.map((property) => [property.name, propertyJson(property)])),
    icon: null,
    cover: null,
    url: urlOf(database),
    public_url: null,
  };
}

function propertyJson(property: PropertyRecord): JsonObject {
  const { id, name, description, type } = property;
  return { id, name, description, type, [type]: configJson(property) };
}

function configJson({ id, type, format, options }: PropertyRecord): JsonObject {
  if (type === 'number') return { format };
  if (type !== 'select') return {};
  return {
    options: options.map((name) => ({ id: optionId(id, name), name, color: 'default', description: null })),
  };
}

/** What is on a page. */
export function childJson(child: PageRecord | DatabaseRecord, parent: string): JsonObject {
  const type = 'sources' in child ? 'child_database' : 'child_page';
  return {
    object: 'block',
    id: child.id,
    parent: { type: 'page_id', page_id: parent },
    ...timesOf(child),
    created_by: BOT,
    last_edited_by: BOT,
    has_children: type === 'child_page',
    ...trashOf(child.inTrash),
    type,
    [type]: { title: child.title },
  };
}

export function botJson(id: string): JsonObject {
  return {
    object: 'user',
    id,
    name: 'Tributary',
    avatar_url: null,
    type: 'bot',
    bot: { owner: { type: 'user', user: { object: 'user', id: BOT.id } }, workspace_name: 'Home' },
  };
}

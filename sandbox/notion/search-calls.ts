import type { JsonObject } from '../shared/json.ts';
import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { bodyOf, onlyMembers, recordAt } from './bodies.ts';
import { cellText } from './cells.ts';
import type { Cursors } from './cursors.ts';
import { invalidValue, succeeded } from './errors.ts';
import { pageJson, rowJson, sourceJson } from './objects.ts';
import type { NotionSettings } from './settings.ts';
import type { Workspace } from './workspace.ts';

interface Found {
  readonly kind: 'page' | 'data_source';
  readonly title: string;
  readonly editedAt: number;
  readonly json: () => JsonObject;
}

/** `POST /v1/search`: what is shared, last edited first. It lags behind what was just created. */
export class SearchCalls {
  readonly #workspace: Workspace;
  readonly #cursors: Cursors;
  readonly #settings: Readonly<NotionSettings>;
  readonly #now: () => number;

  constructor(workspace: Workspace, cursors: Cursors, settings: Readonly<NotionSettings>, now: () => number) {
    this.#workspace = workspace;
    this.#cursors = cursors;
    this.#settings = settings;
    this.#now = now;
  }

  search(request: SimulatedRequest): Reply {
    const body = bodyOf(request, ['query', 'sort', 'filter', 'start_cursor', 'page_size']);
    const kind = body.filter === undefined ? null : kindAt(recordAt(body.filter, 'body.filter'));
    const { query = '' } = body;
    if (typeof query !== 'string') throw invalidValue('body.query', 'a string', query);
    const sign = directionAt(body.sort);
    const found = this.#found()
      .filter(
        (one) =>
          (kind === null || one.kind === kind) && one.title.toLowerCase().includes(query.toLowerCase()),
      )
      .toSorted((a, b) => sign * (a.editedAt - b.editedAt));
    const asked = { size: body.page_size, cursor: body.start_cursor };
    const { items, next } = this.#cursors.slice(found, asked, JSON.stringify(['search', kind, query, sign]));
    return succeeded({
      object: 'list',
      results: items.map(({ json }) => json()),
      next_cursor: next,
      has_more: next !== null,
      type: 'page_or_data_source',
      page_or_data_source: {},
      request_status: { type: 'complete' },
    });
  }

  #found(): Found[] {
    const { pages, sources, rows } = this.#workspace;
    const until = this.#now() - this.#settings.indexLagMs;
    const isThere = (record: { id: string; inTrash: boolean; createdAt: number }): boolean =>
      !record.inTrash &&
      record.createdAt <= until &&
      this.#workspace.isShared(record.id) &&
      !this.#workspace.isBelowTrash(record.id);
    const found: Found[] = [];
    for (const page of pages.values()) {
      const { title, editedAt } = page;
      if (isThere(page)) found.push({ kind: 'page', title, editedAt, json: () => pageJson(page) });
    }
    for (const source of sources.values()) {
      const { name: title, editedAt } = source;
      if (isThere(source))
        found.push({ kind: 'data_source', title, editedAt, json: () => sourceJson(this.#workspace, source) });
    }
    for (const row of rows.values()) {
      const source = sources.get(row.source);
      if (source === undefined || !isThere(row)) continue;
      const name = source.properties.find(({ type }) => type === 'title');
      const title = name === undefined ? '' : cellText(name, row.cells[name.id]);
      const json = (): JsonObject => rowJson(this.#workspace, row, source, null);
      found.push({ kind: 'page', title, editedAt: row.editedAt, json });
    }
    return found;
  }
}

function kindAt(filter: Record<string, unknown>): Found['kind'] {
  onlyMembers(filter, ['property', 'value'], 'body.filter');
  const { property, value } = filter;
  if (property !== 'object') throw invalidValue('body.filter.property', '`"object"`', property);
  if (value === 'page' || value === 'data_source') return value;
  throw invalidValue('body.filter.value', '`"page"` or `"data_source"`', value);
}

function directionAt(value: unknown): 1 | -1 {
  if (value === undefined) return -1;
  const sort = recordAt(value, 'body.sort');
  onlyMembers(sort, ['timestamp', 'direction'], 'body.sort');
  if (sort.timestamp !== 'last_edited_time')
    throw invalidValue('body.sort.timestamp', '`"last_edited_time"`', sort.timestamp);
  return sort.direction === 'ascending' ? 1 : -1;
}

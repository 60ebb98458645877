import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { bodyOf, idAt, onlyMembers, onlyQuery, pathId, recordAt } from './bodies.ts';
import { cellsAt, propertyOf } from './cells.ts';
import type { Cursors } from './cursors.ts';
import { invalid, invalidValue, notFound, succeeded } from './errors.ts';
import { filterOf, sortedRows } from './filters.ts';
import { pageJson, rowJson } from './objects.ts';
import type { SourceRecord } from './records.ts';
import type { NotionSettings } from './settings.ts';
import type { Visible, Workspace } from './workspace.ts';

/** Rows: pages whose parent is a data source. */
export class RowCalls {
  readonly #workspace: Workspace;
  readonly #visible: Visible;
  readonly #cursors: Cursors;
  readonly #settings: Readonly<NotionSettings>;
  readonly #now: () => number;

  constructor(
    parts: {
      readonly workspace: Workspace;
      readonly visible: Visible;
      readonly cursors: Cursors;
      readonly settings: Readonly<NotionSettings>;
    },
    now: () => number,
  ) {
    this.#workspace = parts.workspace;
    this.#visible = parts.visible;
    this.#cursors = parts.cursors;
    this.#settings = parts.settings;
    this.#now = now;
  }

  /** `POST /v1/pages`. Pages outside data sources are not simulated. */
  create(request: SimulatedRequest): Reply {
    const body = bodyOf(request, ['parent', 'properties', 'children', 'icon', 'cover']);
    const source = this.#parentOf(recordAt(body.parent, 'body.parent'));
    if (source.inTrash || this.#workspace.isBelowTrash(source.id)) throw notFound('data source', source.id);
    const cells = cellsAt(source, body.properties);
    if (this.#workspace.rowsOf(source.id).length >= this.#settings.rowLimit) {
      throw new VendorError(409, 'row_limit_exceeded', 'The data source has reached its limit of rows.');
    }
    const row = this.#workspace.addRow(source, cells);
    return succeeded(rowJson(this.#workspace, row, source, null));
  }

  /** `GET /v1/pages/{id}` */
  page(request: SimulatedRequest): Reply {
    const id = pathId(request);
    if (this.#workspace.pages.has(id)) return succeeded(pageJson(this.#visible.page(id)));
    const { row, source } = this.#visible.row(id);
    return succeeded(rowJson(this.#workspace, row, source, shownOf(request, source)));
  }

  /** `PATCH /v1/pages/{id}` */
  update(request: SimulatedRequest): Reply {
    const { row, source } = this.#visible.row(pathId(request));
    const body = bodyOf(request, ['properties', 'in_trash', 'archived', 'icon', 'cover', 'is_locked']);
    const { in_trash: trash = body.archived } = body;
    if (trash !== undefined && typeof trash !== 'boolean')
      throw invalidValue('body.in_trash', 'a boolean', trash);
    if (this.#workspace.isBelowTrash(row.id)) {
      throw invalid(
        "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
      );
    }
    if (row.inTrash && trash !== false) {
      throw invalid("Can't edit block that is archived. You must unarchive the block before editing.");
    }
    const cells = body.properties === undefined ? {} : cellsAt(source, body.properties);
    Object.assign(row.cells, cells);
    if (trash !== undefined) row.inTrash = trash;
    this.#workspace.edited(row);
    return succeeded(rowJson(this.#workspace, row, source, null));
  }

  /** `POST /v1/data_sources/{id}/query` */
  query(request: SimulatedRequest): Reply {
    const source = this.#visible.source(pathId(request));
    onlyQuery(request, ['filter_properties', 'filter_properties[]']);
    const allowed = ['filter', 'sorts', 'start_cursor', 'page_size', 'in_trash', 'archived', 'result_type'];
    const body = bodyOf(request, allowed);
    const { filter, sorts, in_trash: trashed = false } = body;
    const test = filter === undefined ? () => true : filterOf(source, filter);
    const until = this.#now() - this.#settings.indexLagMs;
    const below = this.#workspace.isBelowTrash(source.id) || source.inTrash;
    const rows = this.#workspace
      .rowsOf(source.id)
      .filter((row) => (below || row.inTrash) === trashed && row.createdAt <= until && test(row));
    const of = JSON.stringify([source.id, filter, sorts]);
    const asked = { size: body.page_size, cursor: body.start_cursor };
    const sorted = sortedRows(source, rows, sorts);
    const { items, next, cut } = this.#cursors.slice(sorted, asked, of, this.#settings.queryResultLimit);
    const shown = shownOf(request, source);
    return succeeded({
      object: 'list',
      results: items.map((row) => rowJson(this.#workspace, row, source, shown)),
      next_cursor: next,
      has_more: next !== null,
      type: 'page_or_data_source',
      page_or_data_source: {},
      request_status: cut
        ? { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' }
        : { type: 'complete' },
    });
  }

  /** A database may be used instead of its data source as long as it has only one. */
  #parentOf(parent: Record<string, unknown>): SourceRecord {
    onlyMembers(parent, ['type', 'data_source_id', 'database_id'], 'body.parent');
    if (parent.data_source_id !== undefined) {
      return this.#visible.source(idAt(parent.data_source_id, 'body.parent.data_source_id'));
    }
    const { sources } = this.#visible.database(idAt(parent.database_id, 'body.parent.database_id'));
    const [only, ...others] = sources;
    if (only === undefined || others.length > 0)
      throw invalid(
        'Databases with multiple data sources are not supported in this API version. (body.parent)',
      );
    return this.#visible.source(only);
  }
}

/** Ids of the requested properties; null for all. */
function shownOf({ query }: SimulatedRequest, source: SourceRecord): readonly string[] | null {
  const asked = [...query.getAll('filter_properties'), ...query.getAll('filter_properties[]')];
  if (asked.length === 0) return null;
  return asked.map((id) => {
    const property = propertyOf(source, id);
    if (property === null)
      throw invalid(`Could not find property with name or id: ${id} (query.filter_properties)`);
    return property.id;
  });
}

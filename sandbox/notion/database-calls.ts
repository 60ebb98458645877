import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { bodyOf, idAt, onlyMembers, onlyQuery, pathId, recordAt } from './bodies.ts';
import type { Cursors } from './cursors.ts';
import { invalid, invalidValue, notFound, succeeded } from './errors.ts';
import { childJson, databaseJson, sourceJson } from './objects.ts';
import { changeProperties, newPropertiesAt } from './property-changes.ts';
import { richTextAt } from './rich-text.ts';
import type { Visible, Workspace } from './workspace.ts';

/** Databases, their data sources, and what is on pages. */
export class DatabaseCalls {
  readonly #workspace: Workspace;
  readonly #visible: Visible;
  readonly #cursors: Cursors;

  constructor(workspace: Workspace, visible: Visible, cursors: Cursors) {
    this.#workspace = workspace;
    this.#visible = visible;
    this.#cursors = cursors;
  }

  /** `GET /v1/databases/{id}` */
  database(request: SimulatedRequest): Reply {
    return succeeded(databaseJson(this.#workspace, this.#visible.database(pathId(request))));
  }

  /** `POST /v1/databases` */
  create(request: SimulatedRequest): Reply {
    const body = bodyOf(request, [
      'parent',
      'title',
      'description',
      'is_inline',
      'initial_data_source',
      'icon',
      'cover',
    ]);
    const parent = recordAt(body.parent, 'body.parent');
    onlyMembers(parent, ['type', 'page_id'], 'body.parent');
    if (parent.type !== 'page_id') throw invalidValue('body.parent.type', '`"page_id"`', parent.type);
    const page = this.#visible.page(idAt(parent.page_id, 'body.parent.page_id'));
    if (page.inTrash || this.#workspace.isBelowTrash(page.id)) throw notFound('page', page.id);
    const title = body.title === undefined ? [] : richTextAt(body.title, 'body.title');
    const initial = recordAt(body.initial_data_source ?? {}, 'body.initial_data_source');
    onlyMembers(initial, ['properties'], 'body.initial_data_source');
    const path = 'body.initial_data_source.properties';
    const properties = newPropertiesAt(this.#workspace, initial.properties, path);
    const database = this.#workspace.addDatabase(title.join(''), page.id, properties);
    this.#workspace.edited(page);
    return succeeded(databaseJson(this.#workspace, database));
  }

  /** `GET /v1/data_sources/{id}` */
  source(request: SimulatedRequest): Reply {
    return succeeded(sourceJson(this.#workspace, this.#visible.source(pathId(request))));
  }

  /** `PATCH /v1/data_sources/{id}` */
  changeSource(request: SimulatedRequest): Reply {
    const source = this.#visible.source(pathId(request));
    const body = bodyOf(request, ['title', 'properties', 'icon']);
    if (source.inTrash || this.#workspace.isBelowTrash(source.id)) {
      throw invalid('Can’t edit a data source that is in the trash. Restore it before editing.');
    }
    if (body.title !== undefined) source.name = richTextAt(body.title, 'body.title').join('');
    if (body.properties !== undefined) changeProperties(this.#workspace, source, body.properties);
    return succeeded(sourceJson(this.#workspace, source));
  }

  /** `GET /v1/blocks/{id}/children` of a page: the pages and databases on it. Texts are not simulated. */
  children(request: SimulatedRequest): Reply {
    onlyQuery(request, ['page_size', 'start_cursor']);
    const page = this.#visible.page(pathId(request));
    const { pages, databases } = this.#workspace;
    const children = [...pages.values(), ...databases.values()].filter(
      ({ parent, inTrash }) => parent === page.id && !inTrash,
    );
    const { query } = request;
    const asked = { size: query.get('page_size') ?? undefined, cursor: query.get('start_cursor') };
    const { items, next } = this.#cursors.slice(children, asked, `children ${page.id}`);
    return succeeded({
      object: 'list',
      results: items.map((child) => childJson(child, page.id)),
      next_cursor: next,
      has_more: next !== null,
      type: 'block',
      block: {},
    });
  }
}

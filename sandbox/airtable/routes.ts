import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { OAuthPages } from '../shared/oauth-pages.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { notPermitted, unseen } from './errors.ts';
import { listByBody, listByQuery, readOne } from './listing.ts';
import type { GridPages } from './pages.ts';
import type { PlanLimits } from './plan-limits.ts';
import type { RecordPlace, Records } from './records.ts';
import type { Route } from './route.ts';
import type { Schema } from './schema.ts';
import { SCOPES, type SignIn } from './sign-in.ts';
import type { SimulatedTable } from './table.ts';
import type { SimulatedBase, Workspace } from './workspace.ts';

/** What answers. */
interface Parts {
  readonly authorizationServer: AuthorizationServer;
  readonly signIn: SignIn;
  readonly pages: OAuthPages;
  readonly grids: GridPages;
  readonly limits: PlanLimits;
  readonly workspace: Workspace;
  readonly schema: Schema;
  readonly records: Records;
}

type Handle<Place> = (request: SimulatedRequest, place: Place) => Reply;

/** Everything the simulator answers, as data. */
export function routesOf(parts: Parts): readonly Route[] {
  const { signIn, pages, grids, schema, records, workspace } = parts;
  const route = (kind: Route['kind'], method: string, path: string, handle: Route['handle']): Route => ({
    kind,
    method,
    path,
    handle,
  });
  const ofPerson = (path: string, handle: (request: SimulatedRequest, person: string) => Reply): Route =>
    route('data', 'GET', `/v0/meta${path}`, (request) => {
      const person = personOf(parts, request);
      parts.limits.take(person, null, 'schema');
      return handle(request, person);
    });
  const ofBase = (method: string, path: string, handle: Handle<SimulatedBase>): Route =>
    route('data', method, `/v0/meta/bases/:base/tables${path}`, (request) =>
      handle(request, baseOf(parts, request, 'schema')),
    );
  // The vendor's own client adds a trailing slash to the table.
  const ofTable = (method: string, path: string, handle: Handle<RecordPlace>): readonly Route[] => {
    const handled = (request: SimulatedRequest): Reply => {
      const base = baseOf(parts, request, 'records');
      const table = tableOf(base, request.params.table ?? '');
      const reads = method === 'GET' || path === '/listRecords';
      if (!reads && ['read', 'comment'].includes(base.permission)) throw notPermitted();
      return handle(request, { base, table });
    };
    const full = `/v0/:base/:table${path}`;
    return [route('data', method, full, handled), route('data', method, `${full}/`, handled)];
  };
  return [
    ofPerson('/whoami', (_request, person) => json(200, { id: person, scopes: [...SCOPES] })),
    ofPerson('/bases', (request) => schema.bases(request)),
    ofBase('GET', '', (request, base) => schema.tables(request, base)),
    ofBase('POST', '', (request, base) => schema.createTable(request, base)),
    ofBase('POST', '/:table/fields', (request, base) =>
      schema.createField(request, base, tableOf(base, request.params.table ?? '')),
    ),
    ofBase('PATCH', '/:table/fields/:field', (request, base) =>
      schema.changeField(request, base, tableOf(base, request.params.table ?? '')),
    ),
    ...ofTable('GET', '', listByQuery),
    ...ofTable('POST', '/listRecords', listByBody),
    ...ofTable('POST', '', (request, place) => records.create(request, place)),
    ...ofTable('PATCH', '', (request, place) => records.update(request, place)),
    ...ofTable('DELETE', '', (request, place) => records.delete(request, place)),
    ...ofTable('GET', '/:record', readOne),
    ...ofTable('DELETE', '/:record', (request, place) => records.deleteOne(request, place)),
    route('oauth', 'POST', '/oauth2/v1/token', (request) => signIn.token(request)),
    route('page', 'GET', '/oauth2/v1/authorize', (request) => signIn.authorize(request)),
    route('page', 'POST', '/oauth/:id/complete', (request) => pages.complete(request)),
    route('page', 'GET', '/bases', () => grids.list(workspace.bases)),
    route('page', 'GET', '/bases/:base', (request) => grids.base(request)),
    route('page', 'GET', '/:base', (request) => grids.base(request)),
    route('page', 'GET', '/:base/:table', (request) => grids.table(request)),
  ];
}

function personOf({ authorizationServer }: Parts, { headers }: SimulatedRequest): string {
  const person = authorizationServer.subjectOf(headers.authorization);
  if (person === null) throw new VendorError(401, 'AUTHENTICATION_REQUIRED', 'Authentication required');
  return person;
}

function baseOf(parts: Parts, request: SimulatedRequest, about: 'records' | 'schema'): SimulatedBase {
  const person = personOf(parts, request);
  const id = request.params.base ?? '';
  parts.limits.take(person, id, about);
  const base = parts.workspace.base(id);
  if (base === null || base.permission === 'none') throw unseen();
  return base;
}

/** By id or name. */
function tableOf(base: SimulatedBase, name: string): SimulatedTable {
  const wanted = decodeURIComponent(name);
  const found = base.tables.find((table) => table.id === wanted || table.name === wanted);
  if (found === undefined) throw unseen();
  return found;
}

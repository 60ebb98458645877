import type { AuthorizationServer } from '../shared/authorization-server.ts';
import type { OAuthPages } from '../shared/oauth-pages.ts';
import type { Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { RoutePath } from '../shared/router.ts';
import type { CallLimits } from './call-limits.ts';
import type { DriveRoutes } from './drive-routes.ts';
import { GoogleError, unauthenticated } from './errors.ts';
import type { SpreadsheetPages } from './pages.ts';
import type { SheetsRoutes } from './sheets-routes.ts';
import { DRIVE_FILE, type GoogleSignIn } from './sign-in.ts';

type Route = RoutePath & {
  /** The form of a refusal. */
  readonly kind: 'sheets' | 'drive' | 'oauth' | 'page';
  readonly handle: (request: SimulatedRequest) => Reply;
};

interface Parts {
  readonly authorizationServer: AuthorizationServer;
  readonly signIn: GoogleSignIn;
  readonly consent: OAuthPages;
  readonly sheets: SheetsRoutes;
  readonly drive: DriveRoutes;
  readonly limits: CallLimits;
  readonly pages: SpreadsheetPages;
}

/** Everything the simulator answers, on one origin, as data. */
export function routesOf({
  authorizationServer,
  signIn,
  consent,
  sheets,
  drive,
  limits,
  pages,
}: Parts): readonly Route[] {
  const subjectOf = ({ headers }: SimulatedRequest): string => {
    const subject = authorizationServer.subjectOf(headers.authorization);
    if (subject === null) throw unauthenticated();
    if (signIn.scope.split(' ').includes(DRIVE_FILE)) return subject;
    throw new GoogleError(
      403,
      'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
      'Request had insufficient authentication scopes.',
      { service: 'sheets.googleapis.com' },
    );
  };
  const forSheets = (
    method: string,
    path: string,
    counts: 'Read' | 'Write',
    handle: Route['handle'],
  ): Route => ({
    method,
    path: `/v4/spreadsheets${path}`,
    kind: 'sheets',
    handle: (request) => {
      limits.take(counts, subjectOf(request));
      return handle(request);
    },
  });
  const forDrive = (path: string, handle: Route['handle']): Route => ({
    method: 'GET',
    path: `/drive/v3${path}`,
    kind: 'drive',
    handle: (request) => {
      subjectOf(request);
      return handle(request);
    },
  });
  const other = (method: string, path: string, kind: 'oauth' | 'page', handle: Route['handle']): Route => ({
    method,
    path,
    kind,
    handle,
  });
  /** Google puts the method after a colon in the last part of the path. */
  const byId = (request: SimulatedRequest): Reply => {
    const [id = '', method] = (request.params.id ?? '').split(':');
    if (method !== 'batchUpdate') throw new GoogleError(404, 'notFound', 'Requested entity was not found.');
    return sheets.batchUpdate({ ...request, params: { id } });
  };
  return [
    forSheets('POST', '', 'Write', (request) => sheets.create(request)),
    forSheets('GET', '/:id', 'Read', (request) => sheets.get(request)),
    forSheets('POST', '/:id', 'Write', byId),
    forSheets('POST', '/:id/values:batchGetByDataFilter', 'Read', (request) => sheets.values(request)),
    forSheets('POST', '/:id/developerMetadata:search', 'Read', (request) => sheets.search(request)),
    forDrive('/about', (request) => drive.about(request)),
    forDrive('/files', (request) => drive.list(request)),
    forDrive('/files/:id', (request) => drive.get(request)),
    other('POST', '/token', 'oauth', (request) => signIn.token(request)),
    other('POST', '/revoke', 'oauth', (request) => signIn.revoke(request)),
    other('GET', '/o/oauth2/v2/auth', 'page', (request) => consent.start(request)),
    other('POST', '/oauth/:id/complete', 'page', (request) => consent.complete(request)),
    other('GET', '/spreadsheets', 'page', (request) => pages.list(request)),
    other('GET', '/spreadsheets/d/:id/edit', 'page', (request) => pages.show(request)),
  ];
}

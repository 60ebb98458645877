import { isRecord } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { readSyncRequest, writeSyncResponse } from './crdt.ts';
import { serverError } from './errors.ts';
import type { RegisterPages } from './pages.ts';
import type { Sessions } from './sessions.ts';
import type { World } from './world.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly handle: (request: SimulatedRequest) => Reply;
}

interface RouteParts {
  readonly world: World;
  readonly sessions: Sessions;
  readonly pages: RegisterPages;
  readonly now: () => number;
}

export function routesOf({ world, sessions, pages, now }: RouteParts): readonly Route[] {
  const page = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
  const call = (method: string, path: string, handle: Route['handle']): Route => ({
    method,
    path: `/sync${path}`,
    handle: (request) => {
      sessions.require(request.headers['x-actual-token']);
      const answer = handle(request);
      return { ...answer, headers: { ...answer.headers, date: new Date(now()).toUTCString() } };
    },
  });
  return [
    page('/', () => pages.budgets()),
    page('/budgets/:budget/accounts/:account', (request) => pages.register(request)),
    {
      method: 'POST',
      path: '/account/login',
      handle: (request) =>
        json(200, { status: 'ok', data: { token: sessions.login(memberOf(request, 'password')) } }),
    },
    call('GET', '/list-user-files', () => files(world)),
    call('GET', '/get-user-file-info', (request) => info(world, request)),
    call('GET', '/download-user-file', (request) => download(world, request)),
    call('POST', '/user-get-key', (request) => key(world, request)),
    call('POST', '/sync', (request) => sync(world, request)),
  ];
}

function files({ budgets }: World): Reply {
  const standing = budgets.filter(({ served }) => !served.deleted);
  const data = standing.map(({ served: { id, name, groupId, encryptMeta } }) => ({
    deleted: 0,
    fileId: id,
    groupId,
    name,
    encryptKeyId: encryptMeta?.keyId ?? null,
    owner: null,
    usersWithAccess: [],
  }));
  return json(200, { status: 'ok', data });
}

function info(world: World, request: SimulatedRequest): Reply {
  const { id, name, groupId, encryptMeta } = world.served(fileId(request), 'budget-not-found');
  const meta = encryptMeta === null ? null : { ...encryptMeta };
  const data = {
    deleted: 0,
    fileId: id,
    groupId,
    name,
    encryptMeta: meta,
    usersWithAccess: [],
  };
  return json(200, { status: 'ok', data });
}

function download(world: World, request: SimulatedRequest): Reply {
  const { file } = world.served(fileId(request), 'User or file not found');
  return { status: 200, body: '', bytes: file, headers: { 'content-type': 'application/octet-stream' } };
}

function key(world: World, request: SimulatedRequest): Reply {
  const { encryptMeta, keySalt } = world.served(memberOf(request, 'fileId'));
  const data = { id: encryptMeta?.keyId ?? null, salt: keySalt, test: null };
  return json(200, { status: 'ok', data });
}

function sync(world: World, { bytes, headers }: SimulatedRequest): Reply {
  if (headers['content-type'] !== 'application/actual-sync') throw serverError('internal-error');
  const request = parsed(() => readSyncRequest(bytes));
  const { messages, trie } = world.served(request.fileId).sync(request);
  return {
    status: 200,
    body: '',
    bytes: Buffer.from(writeSyncResponse(messages, JSON.stringify(trie))),
    headers: { 'content-type': 'application/actual-sync', 'x-actual-sync-method': 'simple' },
  };
}

function fileId({ headers }: SimulatedRequest): string {
  return String(headers['x-actual-file-id'] ?? '');
}

/** A text of a JSON body; empty if there is none. */
function memberOf({ body }: SimulatedRequest, name: string): string {
  const given = parsed((): unknown => JSON.parse(body));
  const value = isRecord(given) ? given[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    throw serverError('internal-error');
  }
}

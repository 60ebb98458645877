import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BankWire } from './bank-wire.ts';
import { type FaultKind, type FaultSpec, type Faults, isRowFault, type RowFault } from './faults.ts';
import { answerMisbehaving } from './misbehaving-bank.ts';
import { overridden } from './override.ts';
import type { Reply } from './reply.ts';
import { readBytes, type SimulatedRequest } from './request.ts';
import type { RequestLog } from './request-log.ts';
import { matchRoute, type RoutePath } from './router.ts';
import { notFound, VendorError, vendorErrorOf } from './vendor-error.ts';

/** A vendor as served by its simulator. */
export type SimulatedVendor<Route extends RoutePath> = {
  readonly routes: readonly Route[];
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly now: () => number;
  /** How a bank writes its lists, so that its data can misbehave; absent if nothing is read from the vendor. */
  readonly wire?: BankWire;
  /** Answers a request of a route. What it throws becomes a refusal. */
  readonly handle: (route: Route, request: SimulatedRequest) => Reply;
  /** The vendor's own form of a refusal; the route is null if there is none. */
  readonly refuse: (error: VendorError, route: Route | null) => Reply;
  /** Makes the credentials of a request expire, for the fault `expired-token`. */
  readonly expireToken: (authorization: string | undefined) => void;
  /** Ends waiting faults when the simulator closes. */
  readonly closing: AbortSignal;
  /** The largest body that is read; default one megabyte. */
  readonly maxBodyBytes?: number;
  /** Called after each request that may have changed something. */
  readonly changed: () => void;
};

/** Serves one vendor request: faults before, checks, handler, faults after, log. */
export async function serveVendor<Route extends RoutePath>(
  http: SimulatedVendor<Route>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const target = request.url ?? '/';
  const url = new URL(URL.canParse(target, 'http://sandbox') ? target : '/', 'http://sandbox');
  const faults = http.faults.take(method, url.pathname, url.search);
  const note = (status: number | null): void =>
    http.log.add({ at: http.now(), method, path: url.pathname, status });
  if (!(await before(http, faults, request))) {
    note(null);
    return;
  }
  const answer = await answerOf(http, request, method, url, faults);
  if (method !== 'GET') http.changed();
  note(has(faults, 'drop-answer') ? null : answer.status);
  send(response, answer, faults);
}

const has = (faults: readonly FaultSpec[], kind: FaultKind): boolean =>
  faults.some((fault) => fault.kind === kind);

/** False if no answer will ever be sent. */
async function before(
  http: Pick<SimulatedVendor<RoutePath>, 'closing' | 'expireToken'>,
  faults: readonly FaultSpec[],
  request: IncomingMessage,
): Promise<boolean> {
  for (const fault of faults) {
    if (fault.kind === 'latency') {
      await sleep(fault.latencyMs ?? 1000, undefined, { signal: http.closing }).catch(() => undefined);
    }
    if (fault.kind === 'hang') return false;
    if (fault.kind === 'connection-reset') {
      request.socket.resetAndDestroy();
      return false;
    }
    if (fault.kind === 'expired-token') http.expireToken(request.headers.authorization);
  }
  return true;
}

async function answerOf<Route extends RoutePath>(
  http: SimulatedVendor<Route>,
  request: IncomingMessage,
  method: string,
  url: URL,
  faults: readonly FaultSpec[],
): Promise<Reply> {
  const found = matchRoute(http.routes, method, url.pathname);
  try {
    const bytes = await readBytes(request, http.maxBodyBytes);
    for (const fault of faults) refuse(fault);
    if (!found) throw notFound('not_found', `no operation ${method} ${url.pathname}`);
    const rowFaults = faults
      .map((fault) => fault.kind)
      .filter((entry): entry is RowFault => isRowFault(entry));
    const asked: SimulatedRequest = {
      method,
      path: url.pathname,
      params: found.params,
      query: url.searchParams,
      rawQuery: url.search.slice(1),
      headers: request.headers,
      body: bytes.toString(),
      bytes,
      rowFaults,
    };
    const handle = (one: SimulatedRequest): Reply => http.handle(found.route, one);
    if (http.wire === undefined) return handle(asked);
    return answerMisbehaving(http.wire, http.faults.misbehaviours, http.now(), asked, handle);
  } catch (error) {
    return http.refuse(vendorErrorOf(error), found?.route ?? null);
  }
}

function refuse(fault: FaultSpec): void {
  const after = fault.retryAfterSeconds;
  const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': String(after) };
  if (fault.kind === 'rate-limit')
    throw new VendorError(429, 'too_many_requests', 'too many requests', headers);
  if (fault.kind === 'refusal')
    throw new VendorError(fault.status ?? 400, 'refused', 'the request was refused', headers);
  if (fault.kind === 'server-error') throw new VendorError(500, 'internal', 'internal server error');
  if (fault.kind === 'unavailable')
    throw new VendorError(503, 'service_unavailable', 'service unavailable', headers);
}

/** What an oversized answer is padded with, and how much of it: more than any reader accepts. */
const PADDING = Buffer.alloc(1024 * 1024, ' ');
const PADDED_MIB = 1024;

const HTML_PAGE =
  '<!doctype html><html lang="en"><title>Scheduled maintenance</title><p>Back soon.</p></html>';

/** A partial answer stays incomplete until the client or the simulator ends the connection. */
function send(response: ServerResponse, answer: Reply, faults: readonly FaultSpec[]): void {
  if (response.destroyed) return;
  if (has(faults, 'drop-answer')) {
    response.destroy();
    return;
  }
  if (has(faults, 'slow-header')) {
    response.socket?.write(`HTTP/1.1 ${answer.status} OK\r\ncontent-type: appl`);
    return;
  }
  const headers: Record<string, string | number> = { ...answer.headers };
  if (has(faults, 'wrong-content-type') || has(faults, 'html-page'))
    headers['content-type'] = 'text/html; charset=utf-8';
  const body = spoilt(answer, faults);
  if (has(faults, 'oversized-body')) {
    response.writeHead(answer.status, headers);
    pipeline(Readable.from(padded(body)), response).catch(() => undefined);
    return;
  }
  if (answer.status !== 204) headers['content-length'] = Buffer.byteLength(body);
  response.writeHead(answer.status, headers);
  if (has(faults, 'truncated-body')) {
    response.write(firstHalf(body), () => response.destroy());
    return;
  }
  if (has(faults, 'slow-body')) {
    response.write(firstHalf(body));
    return;
  }
  response.end(answer.status === 204 ? undefined : body);
}

function spoilt({ body, bytes }: Reply, faults: readonly FaultSpec[]): string | Buffer {
  if (has(faults, 'html-page')) return HTML_PAGE;
  if (!has(faults, 'malformed-json')) return bytes ?? overridden(body, faults);
  return bytes === undefined ? `${body.slice(0, -1)},,` : Buffer.concat([bytes, Buffer.from(',,')]);
}

const firstHalf = (body: string | Buffer): string | Buffer => body.slice(0, Math.floor(body.length / 2));

function* padded(body: string | Buffer): Generator<Buffer> {
  for (let sent = 0; sent < PADDED_MIB; sent++) yield PADDING;
  yield Buffer.from(body);
}

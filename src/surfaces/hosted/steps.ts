import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LinkStep } from '../../features/hosted-links.ts';
import type { Log } from '../../platform/log.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { type RetryOffer, retryPage, UNKNOWN_PAGE, waitingPage } from './link-pages.ts';
import { sendOn, sendPage } from './page.ts';

const MAX_LANDING_PARAMETERS = 20;
const MAX_LANDING_CHARACTERS = 2_000;

/** One step of a person through a link. `address` is where to repeat it. */
export interface Visit {
  readonly token: string;
  readonly address: string;
  readonly signal: AbortSignal;
}

/** What the page of a failed step offers. */
export type OfferOf = (visit: Visit) => RetryOffer;

/** Does one step and sends the person on, has them wait, or says what failed and offers what to do. */
export async function step(
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
  offer: OfferOf,
  work: (visit: Visit) => Promise<LinkStep>,
): Promise<FastifyReply> {
  const visit = visitOf(request, reply);
  try {
    const next = await work(visit);
    return next.kind === 'go' ? sendOn(reply, next.url) : sendPage(reply, 200, waitingPage(visit.address));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'resource_missing') throw error;
    log.warn('A step of a link did not succeed.', { request_id: request.id, code: error.code }, error.cause);
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? 5)));
    return sendPage(reply, error.status, retryPage(error.message, offer(visit)));
  }
}

/** What no step expected: an address that opens nothing, or a fault of ours. */
export function answerFault(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
  offer: OfferOf,
): FastifyReply {
  if (error instanceof ServiceError && error.code === 'resource_missing') {
    return sendPage(reply, 404, UNKNOWN_PAGE);
  }
  if (isRefusal(error)) return sendPage(reply, error.statusCode, UNKNOWN_PAGE);
  log.error('A link page failed.', { request_id: request.id }, error);
  const said = `Something failed on our side (reference ${request.id}).`;
  return sendPage(reply, 500, retryPage(said, offer(visitOf(request, reply))));
}

/** What the framework itself refuses, such as a body too large. */
function isRefusal(error: unknown): error is Error & { statusCode: number } {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode < 500
  );
}

export function visitOf(request: FastifyRequest, reply: FastifyReply): Visit {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return { token: tokenOf(request.params), address: request.raw.url ?? '', signal: gone.signal };
}

function tokenOf(params: unknown): string {
  const token = typeof params === 'object' && params !== null && 'token' in params ? params.token : undefined;
  return typeof token === 'string' ? token : '';
}

/** What the vendor put into the query: untrusted, and only as much of it as a vendor sends. */
export function landingOf(request: FastifyRequest): Record<string, string> {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  const pairs = [...new URLSearchParams(at === -1 ? '' : url.slice(at + 1))]
    .slice(0, MAX_LANDING_PARAMETERS)
    .map(([name, value]) => [name, value.slice(0, MAX_LANDING_CHARACTERS)] as const);
  return Object.fromEntries(pairs);
}

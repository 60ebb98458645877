import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HostedLinks, LinkStep } from '../../features/hosted-links.ts';
import type { Log } from '../../platform/log.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { endedPage, invitationPage, retryPage, UNKNOWN_PAGE, waitingPage } from './link-pages.ts';
import { sendOn, sendPage } from './page.ts';

export interface HostedServices {
  readonly hostedLinks: HostedLinks;
  readonly log: Log;
}

const FORM_BYTES = 1024;
const MAX_LANDING_PARAMETERS = 20;
const MAX_LANDING_CHARACTERS = 500;

/** One step of a person through a link. `address` is where to repeat it. */
interface Visit {
  readonly token: string;
  readonly address: string;
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
}

/** The pages a person meets while linking a bank (SPEC, link_session `url`): plain HTML, outside `/v2`. */
export function registerHostedPages(server: FastifyInstance, services: HostedServices): void {
  const { hostedLinks } = services;
  server.register(async (scope) => {
    // The buttons carry no fields: everything the service needs is in the address.
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_BYTES }, (_request, _body, done) =>
      done(null),
    );
    scope.setErrorHandler((error, request, reply) => answerFault(error, request, reply, services.log));

    scope.get('/link/:token', async (request, reply) => {
      const { token } = visitOf(request, reply);
      const invitation = await hostedLinks.invitation(token);
      const { status, returnTo } = invitation;
      if (status === 'pending' || returnTo === null)
        return sendPage(reply, 200, invitationPage(token, invitation));
      return sendPage(reply, 200, endedPage(status, returnTo));
    });

    scope.post('/link/:token', (request, reply) =>
      step(request, reply, 'post', services.log, ({ token, signal }) => hostedLinks.begin(token, signal)),
    );

    scope.post('/link/:token/cancel', (request, reply) =>
      step(request, reply, 'post', services.log, ({ token }) => hostedLinks.cancel(token)),
    );

    scope.get('/link/:token/return', (request, reply) =>
      step(request, reply, 'get', services.log, ({ token, signal }) =>
        hostedLinks.land(token, 'success', landingOf(request), signal),
      ),
    );

    scope.get('/link/:token/return/failed', (request, reply) =>
      step(request, reply, 'get', services.log, ({ token, signal }) =>
        hostedLinks.land(token, 'failure', landingOf(request), signal),
      ),
    );
  });
}

async function step(
  request: FastifyRequest,
  reply: FastifyReply,
  method: 'get' | 'post',
  log: Log,
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
    return sendPage(
      reply,
      error.status,
      retryPage(visit.token, error.message, { method, address: visit.address }),
    );
  }
}

function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof ServiceError && error.code === 'resource_missing') {
    return sendPage(reply, 404, UNKNOWN_PAGE);
  }
  if (isRefusal(error)) return sendPage(reply, error.statusCode, UNKNOWN_PAGE);
  log.error('A link page failed.', { request_id: request.id }, error);
  const { token, address } = visitOf(request, reply);
  const retry = { method: request.method === 'POST' ? 'post' : 'get', address } as const;
  return sendPage(
    reply,
    500,
    retryPage(token, `Something failed on our side (reference ${request.id}).`, retry),
  );
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

function visitOf(request: FastifyRequest, reply: FastifyReply): Visit {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return {
    token: tokenOf(request.params),
    address: request.raw.url ?? '',
    signal: gone.signal,
    request,
  };
}

function tokenOf(params: unknown): string {
  const token = typeof params === 'object' && params !== null && 'token' in params ? params.token : undefined;
  return typeof token === 'string' ? token : '';
}

/** What the vendor put into the query: untrusted, and only as much of it as a vendor sends. */
function landingOf(request: FastifyRequest): Record<string, string> {
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  const pairs = [...new URLSearchParams(at === -1 ? '' : url.slice(at + 1))]
    .slice(0, MAX_LANDING_PARAMETERS)
    .map(([name, value]) => [name, value.slice(0, MAX_LANDING_CHARACTERS)] as const);
  return Object.fromEntries(pairs);
}

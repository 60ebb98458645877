import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../platform/log.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import { wantsPage } from '../http/accept.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendPage } from '../http/page.ts';
import { CROSS_ORIGIN } from './cross-origin.ts';

const DEFAULT_RETRY_SECONDS = 30;

/** For an address that leads nowhere, or that takes another method. */
export function answerMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): FastifyReply {
  if (methods.length === 0) return refuse(request, reply, 404, 'not_found', 'There is nothing here.');
  const message = `This address takes ${methods.join(', ')}.`;
  return refuse(request, reply.header('allow', methods.join(', ')), 405, 'invalid_request', message);
}

/** What the library did not answer itself: too many requests, a store that is away, or a fault of ours. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  if (reply.raw.destroyed || reply.raw.headersSent) return reply.hijack();
  const known = storeFailure(thrown) ?? (thrown instanceof ServiceError ? thrown : null);
  if (known !== null) {
    reply.header('retry-after', String(Math.ceil(known.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
    return refuse(request, reply, known.status, 'temporarily_unavailable', known.message);
  }
  if (statusOf(thrown) === 503) {
    reply.header('retry-after', String(DEFAULT_RETRY_SECONDS));
    return refuse(
      request,
      reply,
      503,
      'temporarily_unavailable',
      'Too many apps are being looked up. Try again.',
    );
  }
  const status = statusOf(thrown);
  if (status < 500) return refuse(request, reply, status, 'invalid_request', 'The request cannot be read.');
  log.error('A request for authorization failed.', { request_id: request.id }, thrown);
  const message = `Something failed on our side (reference ${request.id}).`;
  return refuse(request, reply, status, 'server_error', message);
}

/** What the library refuses on a page: there is no app to send the person back to. */
export function refusalPage(error: string): PageContent {
  return {
    title: 'The app was not connected',
    body: html`<p>What the app sent cannot be answered: <code>${error}</code></p>
<p>Nothing was shared. Go back to the app and start over.</p>`,
  };
}

/** RFC 6749, section 5.2; a page for people. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: string,
  message: string,
): FastifyReply {
  reply.header('request-id', request.id).header('cache-control', 'no-store').headers(CROSS_ORIGIN);
  if (wantsPage(request.headers.accept)) {
    return sendPage(reply, status, { title: 'That did not work', body: html`<p>${message}</p>` });
  }
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error, error_description: message }));
}

function statusOf(thrown: unknown): number {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return 500;
  const { statusCode } = thrown;
  const known =
    typeof statusCode === 'number' && statusCode >= 400 && (statusCode < 500 || statusCode === 503);
  return known ? statusCode : 500;
}

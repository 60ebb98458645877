import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { wantsPage } from '../http/header-values.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendPage } from '../http/page.ts';
import { APP_REFUSALS } from '../text/consent.ts';
import { FAULTS } from '../text/frame.ts';
import { CROSS_ORIGIN } from './cross-origin.ts';

export const DEFAULT_RETRY_SECONDS = 30;

/** For an unknown address, or another method. */
export function answerMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): FastifyReply {
  if (methods.length === 0) return refuse(request, reply, 404, 'not_found', FAULTS.missing.text);
  const allowed = methods.join(', ');
  const message = FAULTS.otherMethods.text(allowed, request.method);
  return refuse(request, reply.header('allow', allowed), 405, 'invalid_request', message);
}

/** What the library does not answer itself: too many requests, an unreachable store, or a fault of ours. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  failures: Pick<FailedRequests, 'note'>,
): FastifyReply {
  if (reply.raw.destroyed || reply.raw.headersSent) return reply.hijack();
  const operation = `oauth_${request.routeOptions.config.oauth ?? 'none'}`;
  const known = storeFailure(thrown) ?? (thrown instanceof ServiceError ? thrown : null);
  if (known !== null) {
    failures.note(known, request, operation);
    reply.header('retry-after', String(Math.ceil(known.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
    return refuse(request, reply, known.status, 'temporarily_unavailable', known.message);
  }
  if (statusOf(thrown) === 503) {
    failures.note(documentsBusy(thrown), request, operation);
    reply.header('retry-after', String(DEFAULT_RETRY_SECONDS));
    return refuse(request, reply, 503, 'temporarily_unavailable', APP_REFUSALS.busy);
  }
  const status = statusOf(thrown);
  if (status < 500) return refuse(request, reply, status, 'invalid_request', FAULTS.unreadable);
  failures.note(thrown, request, operation);
  return refuse(request, reply, status, 'server_error', FAULTS.ours(request.id));
}

/** Too many documents of apps, at addresses that strangers name, are being fetched. */
export function documentsBusy(cause: unknown): ServiceError {
  return new ServiceError('upstream_unavailable', { cause });
}

/** What the library refuses on a page, because there is no app to send the person back to. */
export function refusalPage(error: string): PageContent {
  return {
    title: APP_REFUSALS.title,
    secretAddress: true,
    body: html`<p>${APP_REFUSALS.unanswerable(error)}</p>
<p>${APP_REFUSALS.nothingShared} ${APP_REFUSALS.startOver}</p>`,
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
    return sendPage(reply, status, {
      title: FAULTS.title,
      secretAddress: true,
      body: html`<p>${message}</p>`,
    });
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

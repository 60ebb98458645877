import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../platform/log.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import { html } from '../http/html.ts';
import { type PageContent, sendPage } from '../http/page.ts';
import { asServiceError } from '../http/service-errors.ts';
import { FAULTS } from '../text/faults.ts';

const RETRY_SECONDS = 5;

/** For an address that opens nothing: misspelt, cut off, used or long gone. */
export const UNKNOWN_PAGE: PageContent = {
  title: FAULTS.unknown.title,
  body: html`<p>${FAULTS.unknown.text}</p>`,
  secretAddress: true,
};

/** What no page expected: an address that opens nothing, too many attempts, or a fault of ours. */
export function answerFault(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const error = asServiceError(thrown);
  if (error.code === 'resource_missing') return sendPage(reply, 404, UNKNOWN_PAGE);
  if (error.status === 429 || error.status >= 500) {
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? RETRY_SECONDS)));
  }
  if (error.code !== 'internal_error') return sendPage(reply, error.status, failedPage(error.message));
  if (storeFailure(thrown) === null) log.error('A page failed.', { request_id: request.id }, error.cause);
  return sendPage(reply, 500, failedPage(FAULTS.ours(request.id)));
}

function failedPage(message: string): PageContent {
  return {
    title: FAULTS.title,
    body: html`<p role="alert">${message}</p><p>${FAULTS.again}</p>`,
    secretAddress: true,
  };
}

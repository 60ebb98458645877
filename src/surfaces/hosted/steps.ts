import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserProof, LinkStep } from '../../features/linking/link-flow.ts';
import { cookieText } from '../../platform/cookies.ts';
import type { Log } from '../../platform/log.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { operationOf } from '../http/outside.ts';
import { returning, sendOn, sendPage } from '../http/page.ts';
import { sameAddress } from '../http/request-url.ts';
import { FAULTS } from '../text/frame.ts';
import { LINK_STATES } from '../text/linking.ts';
import { busyPage, type RetryOffer, retryPage, UNKNOWN_PAGE, waitingPage } from './link-pages.ts';

/** What the page of a failed step offers. */
export type OfferOf = () => RetryOffer | Promise<RetryOffer>;

interface Reports {
  readonly log: Pick<Log, 'warn'>;
  readonly failures: Pick<FailedRequests, 'note'>;
}

type Next = LinkStep & { readonly proof?: BrowserProof | null };

/** Does one step and sends the person on, makes them wait, or shows what failed and what they can do. */
export async function step(
  request: FastifyRequest,
  reply: FastifyReply,
  { log, failures }: Reports,
  offer: OfferOf,
  work: () => Promise<Next>,
): Promise<FastifyReply> {
  try {
    const next = await work();
    if (next.proof) reply.header('set-cookie', cookieText(next.proof));
    switch (next.kind) {
      case 'go':
        return sendOn(reply, next.url);
      case 'page':
        return sendOn(reply, next.notice === null ? next.url : `${next.url}?notice=${next.notice}`);
      case 'waiting':
        return sendPage(reply, 200, waitingPage(sameAddress(request)));
    }
  } catch (thrown) {
    const error = storeFailure(thrown) ?? thrown;
    if (!(error instanceof ServiceError) || error.code === 'resource_missing') throw error;
    if (error.status >= 500) failures.note(error, request, operationOf(request));
    else
      log.warn('Failed to do a step of a link.', { request_id: request.id, code: error.code }, error.cause);
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? 5)));
    // Its message is for programs, and names the provider by its identifier.
    const message = error.cause instanceof UpstreamFailure ? LINK_STATES.failed.noAnswer : error.message;
    return sendPage(reply, error.status, retryPage(message, await offer()));
  }
}

/** Unexpected failures: an address that opens nothing, too many requests, or a fault of ours. */
export function answerFault(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { failures }: Pick<Reports, 'failures'>,
): FastifyReply {
  if (error instanceof ServiceError) {
    if (error.code === 'resource_missing') return sendPage(reply, 404, UNKNOWN_PAGE);
    failures.note(error, request, operationOf(request));
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds ?? 5)));
    return sendPage(reply, error.status, returning(busyPage(error.message), error, request));
  }
  if (isRefusal(error)) return sendPage(reply, error.statusCode, UNKNOWN_PAGE);
  failures.note(error, request, operationOf(request));
  const away = storeFailure(error);
  if (away !== null) {
    reply.header('retry-after', String(away.retryAfterSeconds));
    return sendPage(reply, away.status, busyPage(away.message));
  }
  return sendPage(reply, 500, busyPage(FAULTS.ours(request.id)));
}

/** What the framework refuses, such as a body that is too large. */
function isRefusal(error: unknown): error is Error & { statusCode: number } {
  return (
    error instanceof Error &&
    'statusCode' in error &&
    typeof error.statusCode === 'number' &&
    error.statusCode < 500
  );
}

/** The secret part of a hosted page's address. */
export function tokenOf({ params }: FastifyRequest): string {
  const token = typeof params === 'object' && params !== null && 'token' in params ? params.token : undefined;
  return typeof token === 'string' ? token : '';
}

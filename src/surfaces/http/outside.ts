import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';
import { FAULTS } from '../text/frame.ts';
import type { FailedRequests } from './failed-requests.ts';
import { wantsPage } from './header-values.ts';
import { html } from './html.ts';
import { type PageContent, sendPage } from './page.ts';
import { pathOf } from './request-url.ts';
import { waysOn } from './shell.ts';
import type { Surface } from './surfaces.ts';

const DEFAULT_RETRY_SECONDS = 30;

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** For programs; not every refusal has one. */
  readonly code?: string;
}

/**
 * Responds outside of every surface: with a page to browsers, and with JSON to everyone else. `root` is the path at
 * which browsers reach the service, with a trailing slash.
 */
export function outsideSurfaces(
  failures: Pick<FailedRequests, 'note'>,
  root: string,
): Omit<Surface, 'prefixes'> {
  return {
    answerMissing: (request, reply, methods) => {
      if (methods.length === 0) {
        reply.header('request-id', request.id).header('vary', 'accept');
        return wantsPage(request.headers.accept)
          ? sendPage(reply, 404, missingPage(request, root))
          : refuse(request, reply, NOWHERE);
      }
      return refuse(request, reply.header('allow', methods.join(', ')), {
        status: 405,
        title: FAULTS.otherMethods.title,
        message: FAULTS.otherMethods.text(methods.join(', '), request.method),
      });
    },
    answerError: (thrown, request, reply) => {
      // The caller has disconnected.
      if (reply.raw.destroyed) return reply.hijack();
      const known = storeFailure(thrown) ?? (thrown instanceof ServiceError ? thrown : null);
      if (known !== null) {
        failures.note(known, request, operationOf(request));
        if (known.status === 429 || known.status === 503) {
          reply.header('retry-after', String(Math.ceil(known.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS)));
        }
        const { status, code, message } = known;
        return refuse(request, reply, { status, title: FAULTS.title, message, code });
      }
      const status = statusOf(thrown);
      if (status < 500) return refuse(request, reply, { ...UNREADABLE, status });
      failures.note(thrown, request, operationOf(request));
      return refuse(request, reply, {
        status,
        title: FAULTS.title,
        message: FAULTS.ours(request.id),
        code: 'internal_error',
      });
    },
  };
}

/** The pattern of its route, which has no secret of a path. */
export function operationOf({ routeOptions }: FastifyRequest): string {
  return `page ${routeOptions.url ?? 'none'}`;
}

const NOWHERE: Refusal = {
  status: 404,
  title: FAULTS.missing.title,
  message: FAULTS.missing.text,
  code: 'route_missing',
};

/** Paths that may be shown. Others are not repeated on the page, because anyone can write sentences into a URL. */
const SHOWN_PATH = /^\/[\w./-]{1,80}$/;

/** Says that there is nothing at this address, and where to go instead. */
export function missingPage(request: FastifyRequest, root: string): PageContent {
  const path = pathOf(request);
  const { title, text, at, ways } = FAULTS.missing;
  return {
    title,
    secretAddress: true,
    home: root,
    body: html`<p>${SHOWN_PATH.test(path) ? at(path) : text}</p>
${waysOn([
  [ways.home, root],
  [ways.documentation, `${root}docs/guides`],
  [ways.signIn, `${root}sign-in`],
])}`,
  };
}

const UNREADABLE = { title: FAULTS.title, message: FAULTS.unreadable };

/** 4xx if the framework refused the request itself, 500 for everything else. */
function statusOf(thrown: unknown): number {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return 500;
  const { statusCode } = thrown;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? statusCode : 500;
}

function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, title, message, code } = refusal;
  reply.header('request-id', request.id).header('vary', 'accept');
  if (wantsPage(request.headers.accept)) {
    return sendPage(reply, status, { title, secretAddress: true, body: html`<p>${message}</p>` });
  }
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  return reply.send(JSON.stringify({ error: { message, ...(code === undefined ? {} : { code }) } }));
}

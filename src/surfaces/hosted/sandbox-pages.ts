import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OutgoingHttp } from '../../platform/outgoing-http.ts';

export interface SandboxPages {
  /** Where they are served, for example `/sandbox/a-bank`. */
  readonly path: string;
  /** Paths of a person's browser, such as `/link/*` or `/oauth/:id/complete`: the consent pages and their pictures. */
  readonly pages: readonly string[];
  /** Where the simulator serves them, on the loopback interface. */
  readonly simulatorUrl: string;
  readonly http: Pick<OutgoingHttp, 'request'>;
}

/** The vendor's API must not be reachable, even by an address with `..` in it. */
const SEGMENT = /^(?!\.{1,2}$)[\w.-]+$/;
const FORM_BYTES = 16 * 1024;
/** A page of 200 rows with the longest texts. */
const PAGE_BYTES = 2 * 1024 * 1024;
const DEADLINE_MS = 10_000;
const PASSED_ON = [
  'content-type',
  'location',
  'cache-control',
  'content-security-policy',
  'referrer-policy',
] as const;

/**
 * Serves a simulated vendor's pages under the service's own address (docs/sandbox.md). The simulator listens on the
 * loopback interface only, which people on another machine could not reach.
 */
export function registerSandboxPages(
  server: FastifyInstance,
  { path, pages, simulatorUrl, http }: SandboxPages,
): void {
  server.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: FORM_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    const pass = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { body } = request;
      const page = request.url.startsWith(`${path}/`) ? request.url.slice(path.length) : 'elsewhere';
      if (!isPage(page)) {
        reply.callNotFound();
        return reply;
      }
      const answer = await http.request({
        method: request.method === 'POST' ? 'POST' : 'GET',
        url: `${simulatorUrl}${page}`,
        headers: { 'content-type': request.headers['content-type'] ?? 'application/x-www-form-urlencoded' },
        ...(Buffer.isBuffer(body) ? { body } : {}),
        deadlineMs: DEADLINE_MS,
        maxResponseBytes: PAGE_BYTES,
        trusted: true,
      });
      for (const name of PASSED_ON) {
        const value = answer.header(name);
        if (value !== undefined) reply.header(name, value);
      }
      return reply.code(answer.status).send(answer.body);
    };
    for (const page of pages) {
      scope.get(`${path}${page}`, pass);
      scope.post(`${path}${page}`, pass);
    }
  });
}

function isPage(address: string): boolean {
  const [path = ''] = address.split('?');
  if (path === '/') return true;
  const [start, ...segments] = path.split('/');
  return start === '' && segments.every((segment) => SEGMENT.test(segment));
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { sessionSecretIn } from '../../features/sign-in/session-cookie.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { type DescribedOperation, everyOperation } from '../../vocabulary/description/described-operation.ts';
import type { Description } from '../../vocabulary/description/description-document.ts';
import type { FailedRequests } from '../http/failed-requests.ts';
import { wantsPage } from '../http/header-values.ts';
import { html } from '../http/html.ts';
import { observedAs } from '../http/observed-as.ts';
import { outsideSurfaces } from '../http/outside.ts';
import { queryOf } from '../http/request-url.ts';
import { waysOn } from '../http/shell.ts';
import type { Surfaces } from '../http/surfaces.ts';
import { DOCUMENTATION } from '../text/documentation.ts';
import { type DocsPage, Documents } from './documents.ts';
import { GUIDE_FOLDERS } from './guide-groups.ts';
import { Guides } from './guides.ts';
import { operationPage, referenceIndex } from './reference.ts';

const MOST_SEARCHED = 100;
const MOST_DEPTH = 8;

interface DocsOptions {
  /** The text of the OpenAPI description of v2. */
  readonly description: () => string;
  readonly cookies: Parameters<typeof sessionSecretIn>[1];
  readonly hasApp: boolean;
  /** What leads to the root of the service, with a trailing slash. */
  readonly root: string;
  readonly metrics: Pick<Metrics, 'httpRequest'>;
  readonly failures: FailedRequests;
}

/**
 * `GET /docs`: every operation of v2, and at `/docs/operations/{id}` one of them. `GET /docs/guides`: the pages of
 * `docs/`, each of which is at `/docs/{page}` or `/docs/{folder}/{page}`; `doc_url` of every error points into
 * `/docs/errors`. They need no script and no session. `?q=` searches the operations, or the titles of the guides.
 */
export function registerDocs(server: FastifyInstance, surfaces: Surfaces, options: DocsOptions): void {
  const documents = new Documents(options);
  const guides = new Guides();
  const outside = outsideSurfaces(options.failures, options.root);
  let read: {
    readonly description: Description;
    readonly byId: ReadonlyMap<string, DescribedOperation>;
  } | null = null;
  const reference = () => {
    if (read !== null) return read;
    const description = parsed(options.description());
    read = { description, byId: new Map(everyOperation(description).map((one) => [one.id, one])) };
    return read;
  };

  surfaces.mount(
    server,
    {
      ...outside,
      prefixes: ['/docs'],
      answerMissing: (request, reply, methods) => {
        const depth = request.url.split('?')[0]?.split('/').slice(2).length ?? 1;
        // Every link of the page leads up from its depth, so that a long address would be answered by a longer page.
        if (methods.length > 0 || depth > MOST_DEPTH || !wantsPage(request.headers.accept))
          return outside.answerMissing(request, reply, methods);
        const address = `docs${'/x'.repeat(depth)}`;
        documents
          .send(request, reply.code(404), { address, tab: null, cached: null }, async () =>
            missingPage(address),
          )
          .catch((error: unknown) => outside.answerError(error, request, reply));
        return reply;
      },
    },
    (scope) => {
      observedAs('docs', scope, options.metrics);
      scope.get('/docs', (request, reply) => {
        const text = searched(request);
        const shown = { address: 'docs', tab: 'reference', cached: text === '' ? 'cached' : null } as const;
        return documents.send(request, reply, shown, async () =>
          referenceIndex(reference().description, text),
        );
      });
      scope.get('/docs/', async (_request, reply) => reply.code(308).header('location', '../docs').send());
      scope.get<{ Params: { id: string } }>('/docs/operations/:id', async (request, reply) => {
        const { description, byId } = reference();
        const operation = byId.get(request.params.id);
        if (operation === undefined) return missing(reply);
        const shown = {
          address: `docs/operations/${operation.id}`,
          tab: 'reference',
          cached: 'cached',
        } as const;
        return documents.send(request, reply, shown, async () =>
          operationPage(operation, description, { root: '../../', hasApp: options.hasApp }),
        );
      });
      scope.get('/docs/guides', (request, reply) => {
        const text = searched(request);
        const shown = {
          address: 'docs/guides',
          tab: 'guides',
          cached: text === '' ? 'cached' : null,
        } as const;
        return documents.send(request, reply, shown, () => guides.index(text));
      });
      const guide = async (request: FastifyRequest, reply: FastifyReply, name: string, up: string) => {
        const page = await guides.page(name, up);
        if (page === null) return missing(reply);
        const shown = {
          address: `docs/${name}`,
          tab: name === 'errors' ? 'errors' : 'guides',
          cached: 'cached',
        } as const;
        return documents.send(request, reply, shown, async () => page);
      };
      scope.get<{ Params: { page: string } }>('/docs/:page', (request, reply) =>
        guide(request, reply, request.params.page, ''),
      );
      for (const { folder } of GUIDE_FOLDERS)
        scope.get<{ Params: { page: string } }>(`/docs/${folder}/:page`, (request, reply) =>
          guide(request, reply, `${folder}/${request.params.page}`, '../'),
        );
    },
  );
}

function missing(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

function searched(request: FastifyRequest): string {
  return (queryOf(request).q ?? '').trim().slice(0, MOST_SEARCHED);
}

/** The description is ours, written a moment ago; it is what `Description` says of it. */
function parsed(text: string): Description {
  return JSON.parse(text);
}

function missingPage(address: string): DocsPage {
  const up = '../'.repeat(address.split('/').length - 1);
  const { missing: words } = DOCUMENTATION;
  return {
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p>${words.text}</p>
${waysOn([
  [DOCUMENTATION.guides, `${up}docs/guides`],
  [DOCUMENTATION.reference, `${up}docs`],
  [words.home, up],
])}`,
  };
}

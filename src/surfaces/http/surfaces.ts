import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { pathOf } from './request-url.ts';

/** Registers a surface's routes, hooks and body parsers on a scope that no one shares. */
export type Routes = (scope: FastifyInstance) => void | Promise<void>;

/**
 * Who answers where. Each surface has prefixes of its own and answers below them in its own form, also where an address
 * leads nowhere, lacks the method, or cannot even be read; outside every prefix `outside` answers.
 */
export class Surfaces {
  readonly #outside: Omit<Surface, 'prefixes'>;
  readonly #byPrefix = new Map<string, Surface>();
  readonly #routes = new RouteTable();

  constructor(outside: Omit<Surface, 'prefixes'>) {
    this.#outside = outside;
  }

  /** Raises a TypeError where two surfaces want one prefix, or a route lies outside the prefixes of its surface. */
  mount(server: FastifyInstance, surface: Surface, routes: Routes): void {
    for (const prefix of surface.prefixes) {
      if (this.#byPrefix.has(prefix)) throw new TypeError(`two surfaces want the prefix ${prefix}`);
      this.#byPrefix.set(prefix, surface);
    }
    server.register(async (scope) => {
      scope.addHook('onRoute', ({ url }) => {
        if (!surface.prefixes.some((prefix) => isWithin(url, prefix))) {
          throw new TypeError(`the route ${url} is outside of ${surface.prefixes.join(', ')}`);
        }
      });
      scope.setErrorHandler(surface.answerError);
      await routes(scope);
    });
  }

  /** Called with every route there is, on whichever scope. */
  remember({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    this.#routes.add(url, Array.isArray(method) ? method : [method]);
  }

  /** Answers a request that no route takes, as the surface that has its address does. */
  answerMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = pathOf(request);
    const methods = this.#routes.methodsOf(path);
    // A route took it and found nothing behind the address.
    const leadsNowhere = methods.includes(request.method);
    return this.#at(path).answerMissing(request, reply, leadsNowhere ? [] : methods);
  }

  /** Answers what a route outside every surface raised, and what the framework refused where there is no route. */
  answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    // The framework reads a body before it finds that no one wants it.
    return request.is404
      ? this.answerMissing(request, reply)
      : this.#outside.answerError(thrown, request, reply);
  }

  /** The surface with the longest prefix above the path. */
  #at(path: string): Omit<Surface, 'prefixes'> {
    const [longest] = [...this.#byPrefix.keys()]
      .filter((prefix) => isWithin(path, prefix))
      .toSorted((a, b) => b.length - a.length);
    return (longest === undefined ? undefined : this.#byPrefix.get(longest)) ?? this.#outside;
  }
}

function isWithin(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** The methods of every address, to say which ones an address takes when a request uses another. */
export class RouteTable {
  readonly #routes: { readonly address: RegExp; readonly methods: readonly string[] }[] = [];

  /** @param pattern as the router takes it: `/v2/syncs/:id`, `/files/*` */
  add(pattern: string, methods: readonly string[]): void {
    const parts = pattern.split('/').map((part) => {
      if (part.startsWith(':')) return '[^/]+';
      return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    });
    this.#routes.push({ address: new RegExp(`^${parts.join('/')}$`), methods });
  }

  /** What the address takes, in alphabetical order; empty if it leads nowhere. */
  methodsOf(path: string): readonly string[] {
    const found = this.#routes.filter(({ address }) => address.test(path)).flatMap(({ methods }) => methods);
    return [...new Set(found)].toSorted();
  }
}

/** What a surface has of the address space, and how it answers there when a route of its own does not. */
export interface Surface {
  /** For example `/v2`: this address itself and every one below it. */
  readonly prefixes: readonly `/${string}`[];
  /**
   * Answers a request that no route takes; no hook has run for it, and it must not raise. `methods`: what the address
   * does take, empty if it leads nowhere. A surface that answers 405 names them in `Allow` (RFC 9110, section 15.5.6).
   */
  readonly answerMissing: (
    request: FastifyRequest,
    reply: FastifyReply,
    methods: readonly string[],
  ) => FastifyReply;
  /** Answers whatever a route of the surface raised, and what the framework refused on the way to one. */
  readonly answerError: (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

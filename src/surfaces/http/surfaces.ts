import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { pathOf } from './request-url.ts';

/** Registers a surface's routes, hooks and body parsers on a scope of its own. */
export type Routes = (scope: FastifyInstance) => void | Promise<void>;

/**
 * Which surface responds at which path. Each has its own prefixes and responds below them in its own format, even if an
 * address does not exist, lacks the method or cannot be parsed. `outside` responds everywhere else.
 */
export class Surfaces {
  readonly #outside: Omit<Surface, 'prefixes'>;
  readonly #byPrefix = new Map<string, Surface>();
  readonly #routes = new RouteTable();

  constructor(outside: Omit<Surface, 'prefixes'>) {
    this.#outside = outside;
  }

  /** Raises a TypeError if two surfaces claim the same prefix, or if a route is outside the prefixes of its surface. */
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

  /** Called with every route, in any scope. */
  remember({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    this.#routes.add(url, Array.isArray(method) ? method : [method]);
  }

  /** Responds to a request that no route handles, in the format of the surface at its address. */
  answerMissing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = pathOf(request);
    const methods = this.#routes.methodsOf(path);
    // A route handled it, but nothing was found at the address.
    const leadsNowhere = methods.includes(request.method);
    return this.#at(path).answerMissing(request, reply, leadsNowhere ? [] : methods);
  }

  /** Responds to errors of routes outside every surface, and to requests without a route that the framework refused. */
  answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    // The framework parses the body before it calls the handler for missing routes.
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

/** The methods of every address, to name those that are allowed when a request uses another. */
export class RouteTable {
  readonly #routes: { readonly address: RegExp; readonly methods: readonly string[] }[] = [];

  /** @param pattern in the syntax of the router: `/v2/syncs/:id`, `/files/*` */
  add(pattern: string, methods: readonly string[]): void {
    const parts = pattern.split('/').map((part) => {
      if (part.startsWith(':')) return '[^/]+';
      return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    });
    this.#routes.push({ address: new RegExp(`^${parts.join('/')}$`), methods });
  }

  /** The methods of an address, in alphabetical order; empty if it does not exist. */
  methodsOf(path: string): readonly string[] {
    const found = this.#routes.filter(({ address }) => address.test(path)).flatMap(({ methods }) => methods);
    return [...new Set(found)].toSorted();
  }
}

/** The paths that belong to a surface, and how it responds there when none of its routes does. */
export interface Surface {
  /** For example `/v2`: this path and every path below it. */
  readonly prefixes: readonly `/${string}`[];
  /**
   * Responds to a request that no route handles. No hook has run for it, and it must not raise. `methods`: those that
   * the address allows; empty if it does not exist. A surface that responds with 405 names them in `Allow` (RFC 9110,
   * section 15.5.6).
   */
  readonly answerMissing: (
    request: FastifyRequest,
    reply: FastifyReply,
    methods: readonly string[],
  ) => FastifyReply;
  /** Responds to anything that a route of the surface raised, and to requests that the framework refused before one. */
  readonly answerError: (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a surface has of the address space, and how it answers there when a route of its own does not. */
export interface Surface {
  /** For example `/v2`: this address itself and every one below it. */
  readonly prefixes: readonly `/${string}`[];
  /**
   * Answers a request that no route takes; no hook has run for it, and it must not raise. `methods`: what the address
   * does take, empty where it leads nowhere. A surface that answers 405 names them in `Allow` (RFC 9110, section 15.5.6).
   */
  readonly answerMissing: (
    request: FastifyRequest,
    reply: FastifyReply,
    methods: readonly string[],
  ) => FastifyReply;
  /** Answers whatever a route of the surface raised, and what the framework refused on the way to one. */
  readonly answerError: (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, decorateWithCaller } from '../http/caller-context.ts';
import { acceptJsonBodies } from '../http/server.ts';
import type { Surface, Surfaces } from '../http/surfaces.ts';
import type { AgentEndpoint, McpOptions } from './agent-endpoint.ts';
import { answerError, JSON_TYPE, REFUSED, Refusal, sendRefusal } from './errors.ts';

const PATH = '/mcp';

/** Mounts the MCP server at `/mcp` (docs/mcp.md): one address, both eras of the protocol, no sessions. */
export function registerMcp(server: FastifyInstance, surfaces: Surfaces, options: McpOptions): void {
  const { authentication, services, weights } = options;
  let loading: Promise<AgentEndpoint> | null = null;
  // Loaded when first needed: the SDK and the table of tools take 13 MB.
  const endpoint = (): Promise<AgentEndpoint> => {
    loading ??= import('./agent-endpoint.ts').then((loaded) => new loaded.AgentEndpoint(options));
    return loading;
  };
  const surface: Surface = {
    prefixes: [PATH],
    answerMissing: (request, reply, methods) => answerMissing(request, reply, methods),
    answerError: (thrown, request, reply) => answerError(thrown, request, reply, options),
  };
  surfaces.mount(server, surface, (scope) => {
    acceptJsonBodies(scope);
    decorateWithCaller(scope);
    scope.addHook('onResponse', (_request, reply, done) => {
      options.metrics.httpRequest('mcp', reply.statusCode, reply.elapsedTime);
      done();
    });
    // Some clients add a trailing slash to the address that a person types.
    for (const url of [PATH, `${PATH}/`])
      scope.route({
        method: 'POST',
        url,
        bodyLimit: services.limits.mcp_body_bytes,
        onRequest: async (request, reply) => {
          reply.header('request-id', request.id).header('cache-control', 'no-store');
          const agents = await endpoint();
          agents.checkHost(request);
          // First, because nothing may be revealed to an unauthenticated caller.
          request.caller = await authentication.authenticate(request.headers, request.ip);
          agents.checkMediaTypes(request);
        },
        handler: async (request, reply) => {
          const answer = await (await endpoint()).answer(request, reply);
          if (answer === null) return reply.code(202).send();
          const text = JSON.stringify(answer.body);
          weights.hold(callerOf(request).accountRecord.id, text.length, reply);
          reply.code(answer.status).header('content-type', JSON_TYPE);
          return reply.send(text);
        },
        config: { operation: 'mcp' },
      });
  });
}

function answerMissing(
  request: FastifyRequest,
  reply: FastifyReply,
  methods: readonly string[],
): FastifyReply {
  reply.header('request-id', request.id);
  if (methods.length === 0) return sendRefusal(new Refusal(404, REFUSED, 'Not Found.'), request, reply);
  reply.header('allow', methods.join(', '));
  return sendRefusal(new Refusal(405, REFUSED, 'Method Not Allowed: send POST.'), request, reply);
}

import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { FastifyInstance } from 'fastify';
import { STRICT_TRANSPORT } from './strict-transport.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

const LOOK_MS = 50;

export interface ResponseOptions {
  /** Whether the server is about to close. */
  readonly stopping: () => boolean;
  /** Whether browsers are to come back over https alone. */
  readonly httpsOnly: boolean;
}

/**
 * Responses that say `Connection: close` once the server is stopping, so that callers ask their next question elsewhere,
 * and `Strict-Transport-Security` where the service is reached over https. A class and not a hook, because a hook is one
 * more step of every request, and is left out where no route was looked for.
 */
export function ownResponse({ stopping, httpsOnly }: ResponseOptions): typeof ServerResponse {
  return class OwnResponse<R extends IncomingMessage> extends ServerResponse<R> {
    constructor(...given: ConstructorParameters<typeof ServerResponse<R>>) {
      super(...given);
      if (httpsOnly) this.setHeader(...STRICT_TRANSPORT);
    }

    override writeHead(status: number, message?: string, headers?: Headers): this;
    override writeHead(status: number, headers?: Headers): this;
    override writeHead(status: number, second?: string | Headers, third?: Headers): this {
      if (stopping()) this.shouldKeepAlive = false;
      return typeof second === 'string'
        ? super.writeHead(status, second, third)
        : super.writeHead(status, second);
    }
  };
}

/**
 * Lets requests under way end and cuts off what takes longer than the deadline. A connection that is between two
 * requests is closed as soon as it is seen to be: Node looks once, and waits for those that become idle later. Nor does
 * it watch its own time limits once a server is closing, so a caller who never finishes sending would hold the shutdown.
 */
export async function closeServer(server: FastifyInstance, deadlineMs: number): Promise<void> {
  const cut = setTimeout(() => server.server.closeAllConnections(), deadlineMs);
  const looking = setInterval(() => server.server.closeIdleConnections(), LOOK_MS);
  try {
    await server.close();
  } finally {
    clearTimeout(cut);
    clearInterval(looking);
  }
}

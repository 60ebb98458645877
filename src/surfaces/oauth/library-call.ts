import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asking } from '../../features/oauth/asking.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { RunningOAuth } from './oauth-surface-options.ts';

/** Passes a request to the library, which answers it. */
export type LibraryCall = (
  request: FastifyRequest,
  reply: FastifyReply,
  user: RowId<'user'> | null,
) => Promise<FastifyReply>;

/**
 * The library builds addresses from the host of the request. It is given that of the issuer instead, because a
 * stranger's `Host` must not appear in a response.
 */
export function libraryCall({ addresses: { appUrl }, server }: RunningOAuth): LibraryCall {
  const issuer = new URL(appUrl);
  let answer: ((req: IncomingMessage, res: ServerResponse) => Promise<void>) | null = null;
  return async (request, reply, user) => {
    answer ??= (await server()).provider.callback();
    const answering = answer;
    const [{ raw: req }, { raw: res }] = [request, reply];
    req.headers.host = issuer.host;
    req.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
    delete req.headers['x-forwarded-host'];
    reply.hijack();
    res.setHeader('request-id', request.id);
    await asking.run({ user, address: request.ip }, () => answering(req, res));
    return reply;
  };
}

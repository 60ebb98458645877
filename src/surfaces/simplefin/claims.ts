import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessUrl } from '../../operations/simplefin/addresses.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { TEXT_TYPE } from './headers.ts';

/**
 * Answers a claim with the access URL and nothing around it: apps keep the body as it comes. A token that nobody can
 * claim (any more) is refused as a wrong credential is, and spends of the same budget of failures.
 */
export async function answerClaim(
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  { services, rateLimits }: BridgeOptions,
): Promise<FastifyReply> {
  const bucket = await rateLimits.attempts.arrive(request.ip, token);
  const credentials = await services.setupTokens.claim(token);
  if (credentials === null) {
    await rateLimits.attempts.fail(bucket);
    throw new ServiceError('api_key_invalid');
  }
  return reply.code(200).type(TEXT_TYPE).send(accessUrl(services.publicUrl, credentials));
}

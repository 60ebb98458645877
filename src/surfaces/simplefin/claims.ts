import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClaimedToken } from '../../features/access/setup-tokens.ts';
import { accessUrl } from '../../operations/simplefin/addresses.ts';
import { publicId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { originOf } from '../http/request-url.ts';
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
  // Both or neither: a token that was claimed in vain could not be claimed again.
  const claimed = await services.auditLog.atOnce(() => claim(token, request, services));
  if (claimed === null) {
    await rateLimits.attempts.fail(bucket);
    throw new ServiceError('api_key_invalid');
  }
  return reply.code(200).type(TEXT_TYPE).send(accessUrl(services.publicUrl, claimed.credentials));
}

async function claim(
  token: string,
  request: FastifyRequest,
  { auditLog, setupTokens }: BridgeOptions['services'],
): Promise<ClaimedToken | null> {
  const claimed = await setupTokens.claim(token);
  if (claimed === null) return null;
  await auditLog.note(claimed.owner, {
    kind: 'simplefin_app.connected',
    by: { kind: 'bridge_app', id: claimed.app, user: null },
    from: originOf(request),
    target: publicId('simplefin_app', claimed.app),
  });
  return claimed;
}

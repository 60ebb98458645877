import type { FastifyRequest } from 'fastify';
import { RESOURCE_METADATA_PATH } from '../../features/oauth/oauth-resources.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';
import { bearerChallenge } from '../http/bearer-challenge.ts';

/**
 * What leads a client of OAuth on: every 401 says where to get a token, as does the 403 of a token that carries too
 * little. Null for everything else.
 */
export function challengeOf(
  error: ServiceError,
  { headers, caller }: Pick<FastifyRequest, 'headers' | 'caller'>,
  publicUrl: string,
): string | null {
  const resourceMetadata = `${publicUrl}${RESOURCE_METADATA_PATH}/v2`;
  if (error.status === 401) {
    const sent = headers.authorization !== undefined && headers.authorization !== '';
    return bearerChallenge({ resourceMetadata, ...(sent && { error: 'invalid_token' }) });
  }
  if (error.code !== 'insufficient_scope' || caller?.kind !== 'oauth_token') return null;
  return bearerChallenge({ resourceMetadata, error: 'insufficient_scope' });
}

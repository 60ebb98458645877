import type { FastifyReply, FastifyRequest } from 'fastify';
import { VERSION_HEADER, validateVersion } from '../../vocabulary/service-version.ts';

/** The Service-Version as it was sent. */
export function versionOf(request: FastifyRequest): string | undefined {
  const header = request.headers[VERSION_HEADER];
  return Array.isArray(header) ? header.join(',') : header;
}

/** Shows the caller the release they asked with, where it is one of ours; for refusals that come before its check. */
export function echoVersion(request: FastifyRequest, reply: FastifyReply): void {
  const sent = versionOf(request);
  if (validateVersion(sent) === null) reply.header(VERSION_HEADER, sent);
}

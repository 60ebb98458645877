import type { FastifyRequest } from 'fastify';
import type { Visit } from '../../features/sign-in/session-cookie.ts';

/** The browser behind a request. */
export function visitOf({ ip, headers }: FastifyRequest): Visit {
  return { address: ip, cookie: headers.cookie, userAgent: headers['user-agent'] };
}

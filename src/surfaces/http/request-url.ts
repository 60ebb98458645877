import type { FastifyRequest } from 'fastify';
import type { Origin } from '../../features/audit/audit-log.ts';

const MOST_PARAMETERS = 20;
const MOST_CHARACTERS = 2_000;

/** The query string of a request, without its question mark; empty if there is none. */
export function searchOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? '';
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

/** Where a request comes from, for the audit log. */
export function originOf({ ip, headers }: FastifyRequest): Origin {
  return { address: ip, userAgent: headers['user-agent'] };
}

/**
 * The query of a page's address: untrusted, with the last value of each name, and cut to what vendors and our pages
 * send.
 */
export function queryOf(request: FastifyRequest): Record<string, string> {
  const pairs = [...new URLSearchParams(searchOf(request))]
    .slice(0, MOST_PARAMETERS)
    .map(([name, value]) => [name, value.slice(0, MOST_CHARACTERS)] as const);
  return Object.fromEntries(pairs);
}

/** A relative reference to the requested address; relative because a proxy may serve it below another path. */
export function sameAddress(request: FastifyRequest): string {
  const search = searchOf(request);
  return search === '' ? '' : `?${search}`;
}

/** The path of a request, percent-decoded; unchanged if an escape in it is invalid. */
export function pathOf({ raw }: FastifyRequest): string {
  const target = (raw.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '');
  const path = /^[^?#]*/.exec(target)?.[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** A route parameter; empty if there is none of the name. */
export function partOf({ params }: FastifyRequest, name: 'token' | 'id'): string {
  if (typeof params !== 'object' || params === null) return '';
  const part = Object.entries(params).find(([key]) => key === name)?.[1];
  return typeof part === 'string' ? part : '';
}

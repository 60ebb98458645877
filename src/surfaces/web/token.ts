import type { FastifyRequest } from 'fastify';

/** A part of the address by its name in the route; empty where there is none. */
export function partOf({ params }: FastifyRequest, name: 'token' | 'id'): string {
  if (typeof params !== 'object' || params === null) return '';
  const part = Object.entries(params).find(([key]) => key === name)?.[1];
  return typeof part === 'string' ? part : '';
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OperatorRefusal } from '../../features/operator/refusal.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { FAULTS } from '../text/frame.ts';

const FORM_BYTES = 16_384;
const MOST_FIELDS = 20;
const FORM = 'application/x-www-form-urlencoded';

/** Reads what a form sends, and nothing else. Raises `body_invalid` for another content type. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: FORM_BYTES },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined;
      if (request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== FORM) {
        throw new ServiceError('body_invalid', { message: FAULTS.otherBody });
      }
      return new Map([...new URLSearchParams(body.toString('utf8'))].slice(0, MOST_FIELDS));
    },
  );
}

/** A field of the submitted form; empty if absent. */
export function field({ body }: FastifyRequest, name: string): string {
  const value: unknown = body instanceof Map ? body.get(name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** What is wrong with a person's input, in words for them; raises everything else. */
export function problemOf(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'parameter_invalid') return error.message;
  if (error instanceof OperatorRefusal) return error.message;
  throw error;
}

/** The same for what `work` raises; null if it raises nothing. */
export async function refusedInput(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

import type { Operation } from '../../operations/operation.ts';
import type { Admittance } from '../http/caller-context.ts';
import { echoIdempotencyKey } from './idempotency.ts';
import { versionOf } from './versions.ts';

/** How v2 lets requests to an operation in. */
export function admittanceOf(operation: Operation): Admittance {
  return {
    operation,
    arrive: (request, reply) => echoIdempotencyKey(operation, request, reply),
    versionOf: (request) => ({ sent: versionOf(request) }),
  };
}

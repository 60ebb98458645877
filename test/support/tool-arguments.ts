import type { Operation } from '../../src/operations/operation.ts';
import { parseQuery } from '../../src/surfaces/v2/query-string.ts';
import type { Ask } from '../conformance/asks.ts';
import type { Json } from './v2-client.ts';

/** The arguments with which the tool of an operation is asked the same as a request over v2. */
export function argumentsOf(operation: Operation, ask: Ask): Json {
  const pattern = operation.path.split('/');
  const path = ask.path.split('/');
  const params = pattern.flatMap((part, at) =>
    part.startsWith(':') ? [[part.slice(1), path[at]] as const] : [],
  );
  const { values, include } = parseQuery(ask.query, operation.query, operation.includes);
  return {
    ...Object.fromEntries(params),
    ...values,
    ...(include.size > 0 && { include: [...include] }),
    ...Object(ask.body),
  };
}

import type { Operation } from '../../../operations/operation.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { RELEASES } from '../../../vocabulary/service-version.ts';

const count = { type: 'integer', minimum: 0 };

/** Headers of answers (docs/api-conventions.md#headers), by name. */
const HEADERS = {
  'Request-Id': {
    description: 'Identifies this request; quote it when you report a problem.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-z]+$' },
    example: 'req_5f0c1a9be2d34c7788aa01ff',
  },
  'Service-Version': {
    description: 'The API version of the answer: the one the request named.',
    schema: { type: 'string', enum: [...RELEASES] },
  },
  'X-RateLimit-Limit': {
    description: "Requests a minute the key may make in this operation's tier.",
    schema: count,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: count,
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'When the window resets, in epoch seconds.',
    schema: count,
    example: 1_795_000_000,
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    required: true,
    schema: count,
    example: 30,
  },
  'WWW-Authenticate': {
    description:
      'Where a client finds out how to get a token (RFC 9728), and what was wrong with the one it sent.',
    schema: { type: 'string' },
    example:
      'Bearer error="invalid_token", resource_metadata="https://api.tributary.example/.well-known/oauth-protected-resource/v2"',
  },
  'Idempotency-Key': {
    description: 'The key that was sent, or one made up by the service.',
    schema: { type: 'string', maxLength: FIXED_LIMITS.idempotency_key_characters },
    example: '7d0c7a0e-6a5b-4a39-9a33-0d6f6a1e2f10',
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the stored answer of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-Service-Truncated': {
    description: 'Present when the result was truncated: narrow the request.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-Service-Rows-Set-Aside': {
    description:
      'How many rows of the bank could not be read; absent where all could. `set_aside` names them.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'Content-Disposition': {
    description: 'A name for the file that the answer is.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="transactions-2026-10-01-to-2026-10-31.csv"',
  },
  'Cache-Control': {
    description: 'An answer that goes on is for nobody to keep.',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  'X-Accel-Buffering': {
    description: 'Asks a proxy to hand on each piece at once.',
    schema: { type: 'string', const: 'no' },
    example: 'no',
  },
} as const satisfies Readonly<Record<string, JsonObject>>;

type HeaderName = keyof typeof HEADERS;

const RATE: readonly HeaderName[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const IDEMPOTENCY: readonly HeaderName[] = ['Idempotency-Key', 'Idempotent-Replayed'];

/** Headers an operation sets on its own, by operation id. */
const OF_OPERATION: Readonly<Record<string, readonly HeaderName[]>> = {
  list_transactions: ['X-Service-Truncated', 'X-Service-Rows-Set-Aside'],
  list_holdings: ['X-Service-Rows-Set-Aside'],
  list_trades: ['X-Service-Rows-Set-Aside'],
  list_destination_resources: ['X-Service-Truncated'],
};

/** What an answer of success always has; an error may come before it is known. */
const OF_SUCCESS: ReadonlySet<HeaderName> = new Set(['Service-Version', ...RATE, 'Idempotency-Key']);

/** The headers as components; those of success a second time, required. */
export const HEADER_COMPONENTS: JsonObject = {
  ...HEADERS,
  ...Object.fromEntries(
    [...OF_SUCCESS].map((name) => [`${name}.required`, { ...HEADERS[name], required: true }]),
  ),
};

/** References to the headers of an answer with this status. */
export function responseHeaders(operation: Operation, status: number): JsonObject {
  const names: HeaderName[] = ['Request-Id', 'Service-Version', ...RATE];
  if (operation.effect !== 'reads') names.push(...IDEMPOTENCY);
  if (operation.streamed?.live === true) names.push('Cache-Control', 'X-Accel-Buffering');
  else if (status < 300 && operation.streamed !== null) names.push('Content-Disposition');
  if (status < 300) names.push(...(OF_OPERATION[operation.id] ?? []));
  if (status === 401 || status === 403) names.push('WWW-Authenticate');
  if (status === 429 || status === 503) names.push('Retry-After');
  return Object.fromEntries(
    names.map((name) => {
      const component = status < 300 && OF_SUCCESS.has(name) ? `${name}.required` : name;
      return [name, { $ref: `#/components/headers/${component}` }];
    }),
  );
}

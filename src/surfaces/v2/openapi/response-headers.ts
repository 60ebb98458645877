import type { Operation } from '../../../operations/operation.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { RELEASES } from '../../../vocabulary/service-version.ts';

const count = { type: 'integer', minimum: 0 };

/** Response headers (docs/api-conventions.md#headers), by name. */
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
      'Where to find out how to get a token (RFC 9728), and what was wrong with the one that was sent.',
    schema: { type: 'string' },
    example:
      'Bearer error="invalid_token", resource_metadata="https://api.tributary.example/.well-known/oauth-protected-resource/v2"',
  },
  'Idempotency-Key': {
    description: 'The key that was sent, or one that the service generated.',
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
      'The number of rows from the bank that could not be read; `set_aside` lists them. Absent if every row could be read.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  Trailer: {
    description:
      'Names a header that follows the response: X-Service-Rows-Set-Aside, the number of rows that the file lacks because they could not be read, 0 included. HTTP/1.0 has none.',
    schema: { type: 'string', const: 'X-Service-Rows-Set-Aside' },
    example: 'X-Service-Rows-Set-Aside',
  },
  'Content-Disposition': {
    description: 'A name under which to save the response.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="transactions-2026-10-01-to-2026-10-31.csv"',
  },
  'Cache-Control': {
    description: 'A live stream must not be cached.',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  'X-Accel-Buffering': {
    description: 'Tells proxies not to buffer the stream.',
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
  list_changes: ['X-Service-Truncated', 'X-Service-Rows-Set-Aside'],
  list_holdings: ['X-Service-Rows-Set-Aside'],
  list_trades: ['X-Service-Rows-Set-Aside'],
  export_sync: ['Trailer'],
  export_transactions: ['Trailer'],
  list_destination_resources: ['X-Service-Truncated'],
};

/** Headers that every successful response has; an error may occur before their values are known. */
const OF_SUCCESS: ReadonlySet<HeaderName> = new Set(['Service-Version', ...RATE, 'Idempotency-Key']);

/** The headers as components. Those of OF_SUCCESS have a second one, which is required. */
export const HEADER_COMPONENTS: JsonObject = {
  ...HEADERS,
  ...Object.fromEntries(
    [...OF_SUCCESS].map((name) => [`${name}.required`, { ...HEADERS[name], required: true }]),
  ),
};

/** References to the headers of a response with this status. */
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

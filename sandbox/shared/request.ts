import type { IncomingMessage } from 'node:http';
import type { RowFault } from './faults.ts';
import { isRecord } from './json.ts';
import { badRequest, VendorError } from './vendor-error.ts';

/** One request as the handlers see it. */
export type SimulatedRequest = {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The query as sent, without `?`: vendors with signed requests compute the signature over it. */
  readonly rawQuery: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The same before decoding. */
  readonly bytes: Buffer;
  /** Faults in the rows of a page, armed for this request. */
  readonly rowFaults: readonly RowFault[];
};

const MAX_BODY_BYTES = 1_000_000;

/** Reads a request body as text; answers 400 above `most` bytes. */
export async function readBody(request: IncomingMessage, most = MAX_BODY_BYTES): Promise<string> {
  return (await readBytes(request, most)).toString();
}

/** Reads a request body; answers 400 above `most` bytes. */
export async function readBytes(request: IncomingMessage, most = MAX_BODY_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > most)
      throw new VendorError(400, 'request_too_large', `request body is larger than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The JSON object of a request body, with nothing but the named members, all of them strings unless listed. */
export function jsonBody(request: SimulatedRequest, allowed: readonly string[]): Record<string, unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw badRequest('unsupported_media_type', 'Content-Type must be application/json');
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(request.body);
  } catch {
    throw badRequest('decode_payload', 'request body is not valid JSON');
  }
  if (!isRecord(parsed)) throw badRequest('decode_payload', 'request body must be a JSON object');
  const stray = Object.keys(parsed).find((name) => !allowed.includes(name));
  if (stray !== undefined) throw badRequest('unknown_field', `${stray} is not a field of this request`);
  return parsed;
}

/** A required, non-empty string member. */
export function requiredString(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (value === undefined) throw badRequest('missing_field', `"${name}" is missing from body`);
  if (typeof value !== 'string' || value === '') {
    throw badRequest('invalid_field_type', `body.${name} must be a non-empty string`);
  }
  return value;
}

export function optionalString(body: Record<string, unknown>, name: string): string | null {
  return body[name] === undefined || body[name] === null ? null : requiredString(body, name);
}

/** Refuses query parameters that the route does not document, and repeated ones unless listed as repeatable. */
export function checkQuery(
  query: URLSearchParams,
  allowed: readonly string[],
  repeatable: readonly string[] = [],
): void {
  for (const name of query.keys()) {
    if (!allowed.includes(name) && !repeatable.includes(name)) {
      throw badRequest('unknown_parameter', `${name} is not a query parameter of this operation`);
    }
    if (!repeatable.includes(name) && query.getAll(name).length > 1) {
      throw badRequest('invalid_parameter', `${name} must be given once`);
    }
  }
}

export function requiredQuery(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (!value) throw badRequest('missing_field', `"${name}" is missing from query string`);
  return value;
}

/** One of a closed set, or null when absent. */
export function enumQuery<T extends string>(
  query: URLSearchParams,
  name: string,
  values: readonly T[],
): T | null {
  const given = query.get(name);
  if (given === null) return null;
  const value = values.find((candidate) => candidate === given);
  if (value === undefined)
    throw badRequest('invalid_enum_value', `${name} must be one of ${values.join(', ')}`);
  return value;
}

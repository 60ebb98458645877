import { isRecord } from '../shared/json.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { VendorError } from '../shared/vendor-error.ts';
import { invalid, invalidValue } from './errors.ts';

/** The largest body that Notion accepts, in bytes. */
const BODY_BYTES = 500_000;
const ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/** The JSON object of a body, with nothing but the named members. */
export function bodyOf(request: SimulatedRequest, allowed: readonly string[]): Record<string, unknown> {
  if (Buffer.byteLength(request.body) > BODY_BYTES) throw invalid('The request body is larger than 500KB.');
  let body: unknown;
  try {
    body = request.body === '' ? {} : JSON.parse(request.body);
  } catch {
    throw new VendorError(400, 'invalid_json', 'Error parsing JSON body.');
  }
  if (!isRecord(body)) throw invalidValue('body', 'an object', body);
  onlyMembers(body, allowed, 'body');
  return body;
}

export function onlyMembers(
  value: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
  path: string,
): void {
  const stray = Object.keys(value).find((name) => !allowed.includes(name));
  if (stray !== undefined) throw invalidValue(`${path}.${stray}`, 'not present', value[stray]);
}

export function recordAt(value: unknown, path: string): Record<string, unknown> {
  if (!isRecord(value)) throw invalidValue(path, 'an object', value);
  return value;
}

/** An id in Notion's own form; people paste it without hyphens. */
export function idAt(value: unknown, path: string): string {
  if (typeof value !== 'string' || !ID.test(value)) throw invalidValue(path, 'a valid uuid', value);
  const hex = value.replaceAll('-', '').toLowerCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The id in the path of a request. */
export function pathId(request: SimulatedRequest): string {
  const { id } = request.params;
  if (id === undefined || !ID.test(id))
    throw invalid('path failed validation: the id should be a valid uuid.');
  return idAt(id, 'path');
}

export function onlyQuery(request: SimulatedRequest, allowed: readonly string[]): void {
  for (const name of request.query.keys()) {
    if (!allowed.includes(name))
      throw invalid(`query failed validation: query.${name} should be not present.`);
  }
}

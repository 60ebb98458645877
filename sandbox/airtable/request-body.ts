import { isRecord } from '../shared/json.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import { invalidRequest } from './errors.ts';

/** The JSON object of a request with nothing but these members. */
export function bodyOf(request: SimulatedRequest, allowed: readonly string[]): Record<string, unknown> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw invalidRequest('Send the body as application/json.');
  let body: unknown;
  try {
    body = JSON.parse(request.body);
  } catch {
    throw invalidRequest('Could not parse request body.');
  }
  if (!isRecord(body)) throw invalidRequest('The body must be an object.');
  const stray = Object.keys(body).find((name) => !allowed.includes(name));
  if (stray !== undefined) throw invalidRequest(`"${stray}" is not a parameter of this request.`);
  return body;
}

export function booleanOf(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean') throw invalidRequest(`"${name}" must be true or false.`);
  return value;
}

export function textOf(body: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = body[name] ?? null;
  if (value !== null && typeof value !== 'string') throw invalidRequest(`"${name}" must be a text.`);
  return value;
}

/** Texts of a list; empty if there is none. */
export function textsOf(body: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value)) throw invalidRequest(`"${name}" must be a list.`);
  return value.map((one: unknown) => {
    if (typeof one !== 'string') throw invalidRequest(`"${name}" must be a list of texts.`);
    return one;
  });
}

/** Parameters of an address, in the form of a body. */
export function queryOf(query: URLSearchParams): Record<string, unknown> {
  const asked: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (name.endsWith('[]')) asked[name.slice(0, -2)] = values;
    else if (values.length > 1) throw invalidRequest(`"${name}" must be given once.`);
    else asked[name] = parsed(values[0] ?? '');
  }
  return asked;
}

function parsed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

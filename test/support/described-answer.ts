import assert from 'node:assert/strict';
import { misfits } from './described-schema.ts';
import { description, type Json, resolved } from './description.ts';

export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Headers of HTTP itself, which no description of an interface lists. */
const OF_HTTP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'strict-transport-security',
  'transfer-encoding',
]);
const JSON_TYPE = 'application/json; charset=utf-8';
/** The router does not look at a longer part of a path. */
const MAX_PART = 300;

/**
 * Fails when an answer of v2 is not what the description says: its status, its headers, its body, its error code. A
 * request that no operation takes must be answered `route_missing`.
 */
export function assertDescribed(method: string, path: string, answer: CheckedAnswer): void {
  const { pathname } = new URL(path, 'http://localhost');
  if (!pathname.startsWith('/v2/') || pathname === '/v2/openapi.json') return;
  const faults = faultsOf(method, pathname, answer);
  if (faults.length === 0) return;
  const body = JSON.stringify(answer.body)?.slice(0, 2000);
  assert.fail(
    `${method} ${pathname} was not answered as described:\n- ${faults.join('\n- ')}\n${answer.status} ${body}`,
  );
}

function faultsOf(method: string, pathname: string, answer: CheckedAnswer): string[] {
  const template = templateOf(pathname);
  const operation = template === null ? undefined : description().paths[template][method.toLowerCase()];
  if (template === null || operation === undefined) return routeMissingFaults(answer);
  if (answer.body?.error?.code === 'route_missing' && unreadable(pathname)) return routeMissingFaults(answer);
  const described = operation.responses[answer.status];
  if (described === undefined) return [`${operation.operationId} describes no answer ${answer.status}`];
  const place: readonly string[] =
    described.$ref === undefined
      ? ['paths', template, method.toLowerCase(), 'responses', String(answer.status)]
      : described.$ref.slice(2).split('/');
  const response = resolved(described);
  return [
    ...headerFaults(response, answer.headers),
    ...bodyFaults(place, response, answer),
    ...(answer.status < 400 ? [] : errorFaults(response, operation.operationId, answer)),
  ];
}

function headerFaults(response: Json, headers: Headers): string[] {
  const faults: string[] = [];
  const described = new Map(
    Object.keys(response.headers).map((name) => [name.toLowerCase(), resolved(response.headers[name])]),
  );
  for (const [name, header] of described) {
    const value = headers.get(name);
    if (value === null && header.required === true) faults.push(`the header ${name} is missing`);
    if (value !== null) faults.push(...headerMisfits(name, header.schema, value));
  }
  for (const name of headers.keys()) {
    if (!OF_HTTP.has(name) && !described.has(name)) faults.push(`the header ${name} is not described`);
  }
  return faults;
}

/** A streamed answer is text of one of the media types described; every other is JSON. */
function bodyFaults(place: readonly string[], response: Json, { headers, body }: CheckedAnswer): string[] {
  const type = headers.get('content-type');
  if (Object.hasOwn(response.content, 'application/json')) {
    const faults = misfits([...place, 'content', 'application/json', 'schema'], body);
    return type === JSON_TYPE ? faults : [...faults, `content-type is ${type}`];
  }
  return Object.hasOwn(response.content, type?.split(';')[0] ?? '') ? [] : [`content-type is ${type}`];
}

function headerMisfits(name: string, schema: Json, value: string): string[] {
  const fits =
    schema.type === 'integer'
      ? /^\d+$/.test(value)
      : (schema.enum === undefined || schema.enum.includes(value)) &&
        (schema.const === undefined || schema.const === value) &&
        (schema.pattern === undefined || new RegExp(schema.pattern).test(value)) &&
        value.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
  return fits ? [] : [`the header ${name} is ${value}`];
}

function errorFaults(response: Json, operation: string, { body, headers }: CheckedAnswer): string[] {
  const error = body?.error;
  const code = error?.code;
  const faults: string[] = [];
  if (!response['x-service-error-codes'].includes(code)) faults.push(`${operation} does not declare ${code}`);
  const example = resolved(response.content['application/json'].examples[code]);
  if (example !== undefined && example.value.error.type !== error.type) faults.push(`type is ${error.type}`);
  if (error?.request_id !== headers.get('request-id')) faults.push('request_id is not the Request-Id header');
  if (!String(error?.doc_url).endsWith(`/docs/errors#${code}`)) faults.push(`doc_url is ${error?.doc_url}`);
  return faults;
}

function routeMissingFaults({ status, headers, body }: CheckedAnswer): string[] {
  const faults = misfits(['components', 'schemas', 'error'], body);
  if (status !== 404 || body?.error?.code !== 'route_missing') {
    faults.push(`no operation is described for this request, and it was answered ${status}`);
  }
  if (body?.error?.request_id !== headers.get('request-id')) {
    faults.push('request_id is not the Request-Id header');
  }
  return faults;
}

/** The path of the description behind an address; one without a parameter before one with. */
function templateOf(pathname: string): string | null {
  const parts = pathname.split('/');
  const fitting = templates().find(
    ({ wanted }) =>
      wanted.length === parts.length &&
      wanted.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at])),
  );
  return fitting?.template ?? null;
}

interface Template {
  readonly template: string;
  /** Its parts between slashes. */
  readonly wanted: readonly string[];
}

let sorted: readonly Template[] | null = null;

/** All of them, those with fewer parameters first. */
function templates(): readonly Template[] {
  sorted ??= Object.keys(description().paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .map((template) => ({ template, wanted: template.split('/') }));
  return sorted;
}

/** Whether the router gives up on the path before it looks for a route. */
function unreadable(pathname: string): boolean {
  return pathname.split('/').some((part) => {
    try {
      return decodeURIComponent(part).length > MAX_PART;
    } catch {
      return true;
    }
  });
}

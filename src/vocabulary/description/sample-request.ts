import { type DescribedOperation, everyOperation } from './described-operation.ts';
import type { Description } from './description-document.ts';

/** By the name of the parameter; the values of an array are divided by commas. */
export type Values = Readonly<Record<string, string>>;

/** A request that one of the examples sends. */
export interface SampleRequest {
  readonly method: DescribedOperation['method'];
  readonly url: string;
  readonly release: string;
  readonly body: unknown;
  /** May be repeated without being done twice (docs/api-conventions.md#idempotency). */
  readonly idempotent: boolean;
  readonly answer: 'json' | 'file' | 'stream';
}

const IDEMPOTENCY_KEY = 'Idempotency-Key';
const PARAMETER = /\{(\w+)\}/g;

/** The request of the operation with these values. */
export function sampleRequest(
  operation: DescribedOperation,
  { servers, info }: Description,
  values: Values,
): SampleRequest {
  const { method, parameters, body, answers } = operation;
  return {
    method,
    url: `${servers[0]?.url ?? ''}${requestPath(operation, values)}`,
    release: info.version,
    body: body?.example,
    idempotent: parameters.some(({ name }) => name === IDEMPOTENCY_KEY),
    answer:
      answers['application/json'] !== undefined
        ? 'json'
        : answers['text/event-stream'] !== undefined
          ? 'stream'
          : 'file',
  };
}

/** `/v2/…` with these values. */
export function requestPath({ path, parameters }: DescribedOperation, values: Values): string {
  const search = new URLSearchParams();
  for (const { name, in: place, schema } of parameters) {
    const value = values[name] ?? '';
    if (place !== 'query' || value === '') continue;
    const parts = schema.type === 'array' ? value.split(',').map((part) => part.trim()) : [value];
    for (const part of parts) search.append(name, part);
  }
  const at = path.replaceAll(PARAMETER, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const query = search.toString();
  return `${at}${query === '' ? '' : `?${query}`}`;
}

/** Values for everything that the operation requires, from the examples of the description. */
export function sampleValues(operation: DescribedOperation, description: Description): Values {
  const all = everyOperation(description);
  const path = [...operation.path.matchAll(PARAMETER)].map(
    ([mark, name = '']) => [name, idAt(operation.path, mark, all)] as const,
  );
  const query = operation.parameters
    .filter(({ name, in: place, required }) => place === 'query' && (required || name === ACCOUNT))
    .map(({ name, schema }) => {
      const value = schema.enum?.[0];
      return [name, value === undefined ? exampleId('/v2/accounts/{id}', all) : String(value)] as const;
    });
  return Object.fromEntries([...path, ...query]);
}

/** Lists of rows need it unless `page` contains it, which a schema cannot express. */
const ACCOUNT = 'account';

/** The id in the example of the resource that the path parameter names, or else in that of its list. */
function idAt(path: string, mark: string, all: readonly DescribedOperation[]): string {
  const upTo = path.slice(0, path.indexOf(mark) + mark.length);
  return exampleId(upTo, all) || exampleId(upTo.slice(0, upTo.lastIndexOf('/')), all);
}

function exampleId(path: string, all: readonly DescribedOperation[]): string {
  const read = all.find((one) => one.method === 'GET' && one.path === path);
  const example = read?.answers['application/json']?.example;
  return memberId(example) ?? memberId(firstOf(example)) ?? '';
}

function memberId(value: unknown): string | null {
  return isObject(value) && typeof value.id === 'string' ? value.id : null;
}

function firstOf(value: unknown): unknown {
  return isObject(value) && Array.isArray(value.data) ? value.data[0] : null;
}

/** Whether a JSON value is an object, whose members are still unchecked. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

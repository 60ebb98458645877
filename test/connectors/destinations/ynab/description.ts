import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { OutgoingHttp, OutgoingRequest } from '../../../../src/platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../../src/platform/outgoing-response.ts';

interface Operation {
  readonly query: Readonly<Record<string, object>>;
  readonly body?: string;
  readonly answers: Readonly<Record<string, string>>;
}

const DESCRIPTION: { readonly operations: Readonly<Record<string, Operation>>; readonly $defs: object } =
  JSON.parse(readFileSync(new URL('./description.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv, { formats: ['date', 'date-time', 'uuid'] });
ajv.addSchema({ $id: 'ynab', $defs: DESCRIPTION.$defs });

/** Raises an AssertionError where the value is not as the description says. */
export function check(schema: string, value: unknown): void {
  const validate = ajv.getSchema(`ynab#/$defs/${schema}`);
  assert.ok(validate, `${schema} is described`);
  assert.ok(
    validate(value),
    `${schema}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 300)}`,
  );
}

/** The operation of a path behind the base address. */
function operationOf(method: string, path: string): readonly [string, Operation] {
  const given = path.split('/');
  for (const [name, operation] of Object.entries(DESCRIPTION.operations)) {
    const [verb, template = ''] = name.split(' ');
    const parts = template.split('/');
    const fits = parts.every((part, at) => part.startsWith('{') || part === given[at]);
    if (verb === method && parts.length === given.length && fits) return [name, operation];
  }
  return assert.fail(`${method} ${path} is not described`);
}

/** Raises an AssertionError where a request is not as YNAB's published description says. */
export function checkRequest(method: string, path: string, query: URLSearchParams, body: unknown): Operation {
  const [name, operation] = operationOf(method, path);
  for (const [parameter, text] of query) {
    const schema = operation.query[parameter] ?? assert.fail(`${name} has no ${parameter}`);
    const value: unknown = text === 'true' || /^\d+$/.test(text) ? JSON.parse(text) : text;
    assert.ok(ajv.validate(schema, value), `${parameter}: ${ajv.errorsText()}`);
  }
  if (operation.body === undefined) assert.equal(body, undefined, `${name} has no body`);
  else check(operation.body, body);
  return operation;
}

/** What the description leaves out, such as a spent quota, is an error of its common form. */
export function checkAnswer({ answers }: Operation, status: number, body: unknown): void {
  const described = answers[String(status)];
  if (described === undefined) assert.ok(status >= 400, `${status} is not described`);
  check(described ?? 'ErrorResponse', body);
}

/** Checks every call of the API on its way, both ways; an answer that is not JSON is a fault of the simulator's. */
export class DescribedHttp implements Pick<OutgoingHttp, 'request'> {
  readonly #http: Pick<OutgoingHttp, 'request'>;
  /** What was not as described; to be empty at the end. */
  readonly breaches: unknown[] = [];
  /** Calls that were checked. */
  checked = 0;

  constructor(http: Pick<OutgoingHttp, 'request'>) {
    this.#http = http;
  }

  async request(request: OutgoingRequest): Promise<OutgoingResponse> {
    const url = new URL(request.url);
    if (!url.pathname.startsWith('/v1/')) return this.#http.request(request);
    const body: unknown = typeof request.body === 'string' ? JSON.parse(request.body) : undefined;
    const path = url.pathname.slice('/v1'.length);
    const operation = this.#noting(() => checkRequest(request.method, path, url.searchParams, body));
    const answer = await this.#http.request(request);
    const parsed = parsedOf(answer);
    if (operation !== null && parsed !== undefined) {
      this.#noting(() => checkAnswer(operation, answer.status, parsed));
      this.checked += 1;
    }
    return answer;
  }

  /** Noted and not raised: the connector would take it for a failure of the network. */
  #noting<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      this.breaches.push(error);
      return null;
    }
  }
}

function parsedOf(answer: OutgoingResponse): unknown {
  try {
    return JSON.parse(answer.text());
  } catch {
    return undefined;
  }
}

import { STATUS_CODES } from 'node:http';
import type { Operation } from '../../../operations/operation.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { ERROR_CODES, type ErrorCode } from '../../../vocabulary/error-codes.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import { errorEnvelope } from '../errors.ts';
import { declaredErrors, statusesOf } from './declared-errors.ts';
import { responseHeaders } from './response-headers.ts';

/** What `param` names in the example of a code; null for the rest. */
const PARAMS: Partial<Record<ErrorCode, string>> = {
  parameter_invalid: 'limit',
  parameter_missing: 'name',
  version_required: 'Service-Version',
  version_invalid: 'Service-Version',
  version_unknown: 'Service-Version',
  include_invalid: 'include[]',
  page_filters_changed: 'status[]',
};

const REQUEST_ID = 'req_5f0c1a9be2d34c7788aa01ff';

/** One example for each code: the envelope as sent. */
export function errorExamples(codes: Iterable<ErrorCode>, docsUrl: string): JsonObject {
  const sorted = [...new Set(codes)].toSorted();
  return Object.fromEntries(
    sorted.map((code) => {
      const error = new ServiceError(code, { param: PARAMS[code] ?? null });
      const value: unknown = JSON.parse(
        errorEnvelope(error, { param: error.param, requestId: REQUEST_ID, docsUrl }),
      );
      return [code, { summary: ERROR_CODES[code].message, value }];
    }),
  );
}

/** The error responses of an operation by status, each with the codes it can carry. */
export function errorResponses(operation: Operation, { error, responses }: ErrorParts): JsonObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of declaredErrors(operation)) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, codes]) => {
      const headers = responseHeaders(operation, status);
      return [String(status), responses.refer(status, errorResponse(status, codes, headers, error))];
    }),
  );
}

export interface ErrorParts {
  /** Schema of the envelope. */
  readonly error: unknown;
  readonly responses: SharedResponses;
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  headers: JsonObject,
  schema: unknown,
): JsonObject {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers,
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
    'x-service-error-codes': codes,
  };
}

/** Error responses that many operations have in common: each appears once, named by its status and a number. */
export class SharedResponses {
  readonly #names = new Map<string, string>();
  readonly #byName = new Map<string, JsonObject>();

  /** A reference to the response, which is kept. */
  refer(status: number, response: JsonObject): JsonObject {
    const source = JSON.stringify(response);
    const name = this.#names.get(source) ?? this.#add(status, source, response);
    return { $ref: `#/components/responses/${name}` };
  }

  /** Every response met so far, by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #add(status: number, source: string, response: JsonObject): string {
    const words = (STATUS_CODES[status] ?? String(status)).toLowerCase().replaceAll(/[^a-z]+/g, '_');
    let name = words;
    for (let number = 2; this.#byName.has(name); number++) name = `${words}_${number}`;
    this.#names.set(source, name);
    this.#byName.set(name, response);
    return name;
  }
}

import type { Content, Description, OperationObject, Parameter, Response } from './description-document.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface DeclaredError {
  readonly status: string;
  readonly code: string;
  readonly summary: string;
}

/** An operation of the description with everything it refers to. */
export interface DescribedOperation {
  readonly id: string;
  readonly tag: string;
  readonly method: Method;
  /** As in the description: `/v2/accounts/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly text: string;
  readonly scopes: readonly string[];
  readonly tier: string;
  readonly parameters: readonly Parameter[];
  readonly body: Content | null;
  readonly bodyRequired: boolean;
  readonly answerStatus: string;
  /** By media type. */
  readonly answers: Readonly<Record<string, Content>>;
  readonly errors: readonly DeclaredError[];
  /** PATCH at the same path does the same. */
  readonly alsoByPatch: boolean;
}

interface Group {
  readonly tag: string;
  readonly text: string;
  readonly operations: readonly DescribedOperation[];
}

const METHODS = { get: 'GET', post: 'POST', patch: 'PATCH', delete: 'DELETE' } as const;
const BY_PATCH = '_by_patch';
const JSON_TYPE = 'application/json';

/** Every operation of the description, those by PATCH included, which do the same as POST at their path. */
export function everyOperation(description: Description): readonly DescribedOperation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(METHODS).flatMap(([name, method]) => {
      const operation = item[name];
      return operation === undefined ? [] : [describedOperation(operation, { description, path, method })];
    }),
  );
}

/** Operations by the resource they are about, each under one method. */
export function groupsOf(description: Description): readonly Group[] {
  const operations = everyOperation(description).filter(({ id }) => !id.endsWith(BY_PATCH));
  return description.tags
    .map(({ name, description: text }) => ({
      tag: name,
      text,
      operations: operations.filter(({ tag }) => tag === name),
    }))
    .filter(({ operations: own }) => own.length > 0);
}

/** Whether every word of the text is somewhere in the operation's name, address, summary or scope. */
export function isAbout(
  { id, path, summary, method, scopes, tag }: DescribedOperation,
  text: string,
): boolean {
  const where = [id, path, summary, method, tag, ...scopes].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}

function describedOperation(
  operation: OperationObject,
  { description, path, method }: { description: Description; path: string; method: Method },
): DescribedOperation {
  const { operationId: id, requestBody, responses } = operation;
  const scope = operation['x-service-scope'];
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    response: responseOf(response, description),
  }));
  const done = all.find(({ status }) => status.startsWith('2'));
  return {
    id,
    tag: operation.tags[0] ?? '',
    method,
    path,
    summary: operation.summary,
    text: rulesIn(operation.description),
    scopes: [...(scope === null ? [] : [scope]), ...(operation['x-service-also-scopes'] ?? [])],
    tier: operation['x-service-tier'],
    parameters: operation.parameters.flatMap((parameter) => parameterOf(parameter, description)),
    body: requestBody?.content[JSON_TYPE] ?? null,
    bodyRequired: requestBody?.required ?? false,
    answerStatus: done?.status ?? '',
    answers: done?.response.content ?? {},
    errors: all.flatMap(({ status, response }) =>
      (response['x-service-error-codes'] ?? []).map((code) => ({
        status,
        code,
        summary: description.components.examples[code]?.summary ?? '',
      })),
    ),
    alsoByPatch: method === 'POST' && description.paths[path]?.patch !== undefined,
  };
}

/** The description ends with scope and tier, which stand apart here. */
function rulesIn(text: string): string {
  return text.split('\n\n').slice(0, -1).join('\n\n');
}

function parameterOf(
  parameter: OperationObject['parameters'][number],
  { components }: Description,
): readonly Parameter[] {
  if (!('$ref' in parameter)) return [parameter];
  const named = components.parameters[nameIn(parameter.$ref)];
  return named === undefined ? [] : [named];
}

function responseOf(response: OperationObject['responses'][string], { components }: Description): Response {
  if (!('$ref' in response)) return response;
  return components.responses[nameIn(response.$ref)] ?? { description: '' };
}

/** The last part of `#/components/…/name`. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

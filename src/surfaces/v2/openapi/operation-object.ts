import type { Operation } from '../../../operations/operation.ts';
import { BODY_WORDS } from '../../../operations/v2/docs/common-docs.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { RESOURCE_DOCS } from '../../../operations/v2/docs/reference.ts';
import { nameOfSchema } from '../../../operations/v2/schema/conventions.ts';
import { type ErrorParts, errorResponses } from './error-responses.ts';
import { requestParameters } from './request-parameters.ts';
import { responseHeaders } from './response-headers.ts';
import { described, isObject, type SchemaComponents } from './schema-components.ts';

/** What the description of an operation is made from. */
export interface Describing extends ErrorParts {
  readonly components: SchemaComponents;
}

/** The group an operation is shown in: the first part of its path after `/v2`. */
export function tagOf(operation: Operation): string {
  return operation.path.split('/')[2] ?? '';
}

/** One operation in OpenAPI, for each of its methods. */
export function operationObjects(operation: Operation, describing: Describing): Record<string, JsonObject> {
  const described = operationObject(operation, describing);
  const method = operation.method.toLowerCase();
  if (!operation.update) return { [method]: described };
  const patch = {
    ...described,
    operationId: patchId(operation),
    summary: `${operation.summary} (the same as ${operation.method})`,
  };
  return { [method]: described, patch };
}

/** PATCH is an alias (docs/api-conventions.md#updates), and every operationId is unique. */
export function patchId(operation: Operation): string {
  return `${operation.id}_by_patch`;
}

function operationObject(operation: Operation, describing: Describing): JsonObject {
  const { alsoScopes } = operation;
  return {
    operationId: operation.id,
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: description(operation),
    parameters: requestParameters(operation, describing),
    ...requestBody(operation, describing),
    responses: {
      [operation.status]: {
        description: ANSWERS[operation.status] ?? 'Done.',
        headers: responseHeaders(operation, operation.status),
        content: answerContent(operation, describing),
      },
      ...errorResponses(operation, describing),
    },
    'x-service-scope': operation.scope,
    ...(alsoScopes.length === 0 ? {} : { 'x-service-also-scopes': [...alsoScopes] }),
    'x-service-tier': operation.tier,
  };
}

/** The answer by its media types; a streamed one is text of any length. */
function answerContent(operation: Operation, { components }: Describing): JsonObject {
  if (operation.streamed !== null) {
    return Object.fromEntries(
      operation.streamed.mediaTypes.map((type) => [type, { schema: { type: 'string' } }]),
    );
  }
  return {
    'application/json': {
      schema: components.refer(operation.response),
      ...example(answerExample(operation)),
    },
  };
}

const ANSWERS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work continues in the background.',
};

function description({ docs, scope, alsoScopes, tier }: Operation): string {
  const scopes = [...(scope === null ? [] : [scope]), ...alsoScopes].map((name) => `\`${name}\``);
  const needs = scopes.length === 0 ? 'Any valid key.' : `Needs ${scopes.join(' and ')}.`;
  const rules = docs.description;
  return `${rules === undefined ? '' : `${rules}\n\n`}${needs} Rate tier: \`${tier}\`.`;
}

function requestBody(operation: Operation, { components }: Describing): JsonObject {
  const { body, docs } = operation;
  const schema = components.refer(body);
  if (Object.keys(body.properties).length === 0 || !isObject(schema)) return {};
  const { sent, body: shown } = docs;
  const properties = isObject(schema.properties) ? schema.properties : {};
  return {
    requestBody: {
      required: (body.required ?? []).length > 0,
      content: {
        'application/json': {
          schema: { ...schema, properties: described(properties, { ...BODY_WORDS, ...sent }) },
          ...example(shown ?? null),
        },
      },
    },
  };
}

function example(value: JsonObject | null): JsonObject {
  return value === null ? {} : { example: value };
}

/** The example of a successful answer: the operation's own, else one made of its resource's. Null without docs. */
function answerExample(operation: Operation): JsonObject | null {
  return operation.docs.answer ?? exampleOf(operation.response);
}

function exampleOf(schema: unknown): JsonObject | null {
  const name = nameOfSchema(schema);
  const resource = name === null ? undefined : RESOURCE_DOCS[name];
  if (resource !== undefined) return resource.example;
  if (!isObject(schema) || !isObject(schema.properties)) return null;
  const { object, data, deleted, set_aside: setAside } = schema.properties;
  if (isObject(data)) {
    const list = listOf(exampleOf(data.items));
    return list === null || setAside === undefined ? list : { ...list, set_aside: [] };
  }
  if (deleted !== undefined && isObject(object)) return deletedOne(object.const);
  return null;
}

function listOf(item: JsonObject | null): JsonObject | null {
  if (item === null) return null;
  return { object: 'list', data: [item], next_page_url: null, previous_page_url: null };
}

function deletedOne(object: unknown): JsonObject | null {
  const example = typeof object === 'string' ? RESOURCE_DOCS[object]?.example : undefined;
  return example === undefined ? null : { id: example.id, object, deleted: true };
}

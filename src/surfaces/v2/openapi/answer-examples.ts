import type { Operation } from '../../../operations/operation.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { RESOURCE_DOCS } from '../../../operations/v2/docs/reference.ts';
import { nameOfSchema } from '../../../operations/v2/schema/conventions.ts';
import { isObject } from './schema-components.ts';

/** What an operation answers when all goes well: its own example, else one made of its resource's. Null without docs. */
export function answerExample(operation: Operation): JsonObject | null {
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

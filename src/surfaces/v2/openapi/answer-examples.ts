import type { JsonObject } from '../../../operations/nouns/noun.ts';
import type { Words } from '../../../operations/nouns/words.ts';
import type { Operation } from '../../../operations/operation.ts';
import { nameOfSchema } from '../../../operations/schemas/conventions.ts';
import { isObject } from './schema-components.ts';

/** What an operation answers when all goes well: its own example, else one made of its resource's. Null without words. */
export function answerExample(operation: Operation, words: Words): JsonObject | null {
  return words.operation(operation.id).answer ?? exampleOf(operation.response, words);
}

function exampleOf(schema: unknown, words: Words): JsonObject | null {
  const name = nameOfSchema(schema);
  const resource = name === null ? undefined : words.resource(name);
  if (resource !== undefined) return resource.example;
  if (!isObject(schema) || !isObject(schema.properties)) return null;
  const { object, data, deleted, set_aside: setAside } = schema.properties;
  if (isObject(data)) {
    const list = listOf(exampleOf(data.items, words));
    return list === null || setAside === undefined ? list : { ...list, set_aside: [] };
  }
  if (deleted !== undefined && isObject(object)) return deletedOne(object.const, words);
  return null;
}

function listOf(item: JsonObject | null): JsonObject | null {
  if (item === null) return null;
  return { object: 'list', data: [item], next_page_url: null, previous_page_url: null };
}

function deletedOne(object: unknown, words: Words): JsonObject | null {
  const example = typeof object === 'string' ? words.resource(object)?.example : undefined;
  return example === undefined ? null : { id: example.id, object, deleted: true };
}

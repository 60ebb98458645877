import type { Operation } from '../operation.ts';
import { BODY_WORDS, QUERY_WORDS } from '../v2/docs/common-docs.ts';
import { CONTEXT_SCHEMA } from './context-argument.ts';
import {
  describedSchema,
  type Json,
  type JsonSchema,
  objectSchema,
  plainObjectSchema,
  plainSchema,
} from './json-schema.ts';
import { addsConfirm } from './operation-arguments.ts';

const PAGE_WORDS = 'next_page of the last answer; alone it continues the list.';
const OWN_WORDS: Readonly<Record<string, string>> = {
  id: 'Id of the object.',
  rule: 'Id of the rule.',
  delivery: 'Id of the delivery.',
  page: PAGE_WORDS,
};

/** One flat object of everything the operation takes, and of what its tool takes besides. */
export function inputSchema(operation: Operation): JsonSchema {
  const { params, query, body, includes, effect, docs } = operation;
  const words = { ...QUERY_WORDS, ...BODY_WORDS, ...OWN_WORDS, ...docs.sent };
  const taken = Object.entries({ ...params.properties, ...query.properties, ...body.properties }).map(
    ([name, schema]): [string, Json] => [
      name,
      name === 'page'
        ? { type: 'string', description: PAGE_WORDS }
        : describedSchema(plainSchema(schema), words[name]),
    ],
  );
  const own: Record<string, Json> = {
    ...(includes.length > 0 && { include: { type: 'array', items: { enum: [...includes] } } }),
    ...(addsConfirm(operation) && {
      confirm: { const: true, description: 'Ask the person first: this cannot be undone.' },
    }),
    ...(effect !== 'reads' && { idempotency_key: { type: 'string', maxLength: 255 } }),
    context: CONTEXT_SCHEMA,
  };
  const required = Object.hasOwn(query.properties, 'page')
    ? // A page token brings along what the list began with.
      []
    : [...(params.required ?? []), ...(query.required ?? []), ...(body.required ?? [])];
  return objectSchema({ ...Object.fromEntries(taken), ...own }, [
    ...required,
    ...(addsConfirm(operation) ? ['confirm'] : []),
  ]);
}

/** What the tool answers: the operation's answer, and a list with a bare token in place of addresses. */
export function outputSchema({ response }: Operation): JsonSchema {
  const schema = plainObjectSchema(response);
  const { next_page_url: next, previous_page_url: _previous, ...members } = schema.properties;
  if (next === undefined) return schema;
  const properties = { ...members, next_page: { type: ['string', 'null'] }, truncated: { type: 'boolean' } };
  return objectSchema(properties, Object.keys(properties));
}

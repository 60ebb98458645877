import type { TSchema } from 'typebox';
import type { Operation } from '../../../operations/operation.ts';
import { schemaType } from '../../../operations/parameters.ts';
import { QUERY_WORDS } from '../../../operations/v2/docs/common-docs.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { arrayName } from '../../../operations/v2/schema/conventions.ts';
import { publicIdPattern } from '../../../vocabulary/ids.ts';
import { FIXED_LIMITS } from '../../../vocabulary/limits.ts';
import { CURRENT_RELEASE, RELEASES } from '../../../vocabulary/service-version.ts';
import type { SchemaComponents } from './schema-components.ts';

/** Headers of requests (docs/api-conventions.md#headers). */
export const PARAMETER_COMPONENTS = {
  ServiceVersion: {
    name: 'Service-Version',
    in: 'header',
    required: true,
    description: 'The API version, for example `2026-10-01.wattle`.',
    schema: { type: 'string', enum: [...RELEASES], default: CURRENT_RELEASE },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Text of your own that names this request for 30 days. The same request with the same key is done once and answered the same again, also under another API key of the account; without a key nothing is kept.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: FIXED_LIMITS.idempotency_key_characters,
      pattern: '^[\\x20-\\x7e]+$',
    },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'The id of the last event that was received; the stream continues behind it.',
    schema: { type: 'string', pattern: publicIdPattern('event') },
  },
} as const;

const lastEventId = { $ref: '#/components/parameters/LastEventId' };
const serviceVersion = { $ref: '#/components/parameters/ServiceVersion' };
const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };

/** Everything a request of the operation has, except its body and its key. */
export function requestParameters(
  operation: Operation,
  { components }: { readonly components: SchemaComponents },
): readonly unknown[] {
  const { docs, params, query, includes, effect, streamed } = operation;
  const required = new Set(query.required);
  const texts = { ...QUERY_WORDS, ...docs.sent };
  return [
    ...Object.entries(params.properties).map(([name, schema]) => ({
      name,
      in: 'path',
      required: true,
      description: PATH_WORDS[name] ?? `The ${name} in the path.`,
      schema: components.refer(schema),
    })),
    ...Object.entries(query.properties).map(([name, schema]) => {
      const isArray = schemaType(schema) === 'array';
      return {
        name: isArray ? arrayName(name, schema) : name,
        in: 'query',
        required: required.has(name),
        description: descriptionOf(schema) ?? texts[name],
        ...(isArray ? FORM : {}),
        schema: components.refer(schema),
      };
    }),
    ...(includes.length === 0 ? [] : [includeParameter(includes)]),
    serviceVersion,
    ...(effect === 'reads' ? [] : [idempotencyKey]),
    ...(streamed?.live === true ? [lastEventId] : []),
  ];
}

function descriptionOf(schema: TSchema): unknown {
  return 'description' in schema ? schema.description : undefined;
}

/** Given once a value. */
const FORM = { style: 'form', explode: true };
const PATH_WORDS: Readonly<Record<string, string>> = { id: 'Id of the object.', rule: 'Id of the rule.' };

function includeParameter(includes: readonly string[]): JsonObject {
  return {
    name: 'include[]',
    in: 'query',
    required: false,
    description: 'Members that are null unless named here.',
    ...FORM,
    schema: { type: 'array', items: { type: 'string', enum: [...includes] } },
  };
}

import { eventBody } from '../../../features/events/event-body.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { GROUP_DOCS } from '../../../operations/v2/docs/reference.ts';
import { eventSchemaOf } from '../../../operations/v2/events/resource.ts';
import { EVENT_KIND_NAMES, EVENT_KINDS, type EventKind } from '../../../vocabulary/event-kinds.ts';
import { rowId } from '../../../vocabulary/ids.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../vocabulary/limits.ts';
import { CURRENT_RELEASE } from '../../../vocabulary/service-version.ts';
import { errorEnvelopeSchema } from '../errors.ts';
import { declaredErrors } from './declared-errors.ts';
import { errorExamples, SharedResponses } from './error-responses.ts';
import { operationObjects, tagOf } from './operation-object.ts';
import { PARAMETER_COMPONENTS } from './request-parameters.ts';
import { HEADER_COMPONENTS } from './response-headers.ts';
import { SchemaComponents } from './schema-components.ts';

const EXAMPLE_ID = '0192f0c4-8c4c-7490-be6d-4bd9be387d68';
const EXAMPLE_CREATED = new Date('2026-11-19T21:12:00.000Z');

/** The requests that event destinations receive, by kind of event (docs/events.md). */
function eventWebhooks(components: SchemaComponents): JsonObject {
  return Object.fromEntries(EVENT_KIND_NAMES.map((kind) => [kind, { post: received(kind, components) }]));
}

function received(kind: EventKind, components: SchemaComponents): JsonObject {
  const schema = eventSchemaOf(kind);
  const { of, when } = EVENT_KINDS[kind];
  return {
    operationId: `receive_${kind.replace('.', '_')}`,
    tags: ['events'],
    summary: `${kind} of a resource ${of}`,
    description: `Sent when ${when}.`,
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.refer(schema), example: exampleOf(kind) } },
    },
    responses: {
      '2XX': { description: 'The event was received. Any other answer has it sent again.' },
      410: { description: 'Nothing more is wanted: the event destination is disabled.' },
    },
  };
}

function exampleOf(kind: EventKind): JsonObject {
  return {
    ...eventBody({
      id: rowId('event', EXAMPLE_ID),
      account_record: rowId('account_record', EXAMPLE_ID),
      kind,
      subject: EXAMPLE_ID,
      created: EXAMPLE_CREATED,
    }),
  };
}

const HEADERS = [
  header(
    'Service-Signature',
    'The signature: `t=<Unix seconds>,v1=<hex>`, with a `v1` for every secret that counts.',
  ),
  header('webhook-id', "The event's id, as Standard Webhooks has it."),
  header('webhook-timestamp', 'Unix seconds of this attempt.'),
  header('webhook-signature', 'The signatures of Standard Webhooks, separated by spaces.'),
];

function header(name: string, description: string): JsonObject {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

const ABOUT = `Reads live bank and brokerage data, manages linked connections, and copies data to destinations.

Send \`Authorization: Bearer <API_KEY>\` and \`Service-Version\` with every request. Lists are newest first; follow \`next_page_url\` until it is null. Every failure has a stable \`code\` and a \`doc_url\` that says what to do.`;

/**
 * The OpenAPI 3.1 description of v2, derived entirely from the operations and their docs. Pure: the
 * same input gives the same text. `publicUrl` is where callers reach the service, without a trailing slash; `limits` are
 * those of the service, which bound what it takes.
 */
export function describeV2(
  operations: readonly Operation[],
  publicUrl: string,
  limits: Limits = DEFAULT_LIMITS,
): JsonObject {
  const docsUrl = `${publicUrl}/docs/errors`;
  const components = new SchemaComponents(limits);
  const responses = new SharedResponses();
  const error = components.refer(errorEnvelopeSchema);
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], ...operationObjects(operation, { components, error, responses }) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tributary',
      version: CURRENT_RELEASE,
      summary: 'Link bank accounts once; read or forward the data anywhere.',
      description: ABOUT,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'Every error code', url: docsUrl },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({
      name,
      description: GROUP_DOCS[name],
    })),
    security: [{ api_key: [] }],
    paths,
    webhooks: eventWebhooks(components),
    components: {
      securitySchemes: {
        api_key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `trib_live_…`, or the access token of a connected app, `trib_oat_…`.',
        },
      },
      parameters: PARAMETER_COMPONENTS,
      headers: HEADER_COMPONENTS,
      schemas: components.all(),
      responses: responses.all(),
      examples: errorExamples(operations.flatMap(declaredErrors), docsUrl),
    },
  };
}

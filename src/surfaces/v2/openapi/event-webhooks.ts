import { eventBody } from '../../../features/events/event-body.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { eventSchemaOf } from '../../../operations/v2/events/resource.ts';
import { EVENT_KIND_NAMES, EVENT_KINDS, type EventKind } from '../../../vocabulary/event-kinds.ts';
import { rowId } from '../../../vocabulary/ids.ts';
import type { SchemaComponents } from './schema-components.ts';

const EXAMPLE_ID = '0192f0c4-8c4c-7490-be6d-4bd9be387d68';
const EXAMPLE_CREATED = new Date('2026-11-19T21:12:00.000Z');

/** The requests that event destinations receive, by kind of event (docs/events.md). */
export function eventWebhooks(components: SchemaComponents): JsonObject {
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
    ...eventBody({ id: rowId('event', EXAMPLE_ID), kind, subject: EXAMPLE_ID, created: EXAMPLE_CREATED }),
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

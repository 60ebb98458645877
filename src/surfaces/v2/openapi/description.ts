import type { Operation } from '../../../operations/operation.ts';
import type { JsonObject } from '../../../operations/v2/docs/docs.ts';
import { GROUP_DOCS } from '../../../operations/v2/docs/reference.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../vocabulary/limits.ts';
import { CURRENT_RELEASE } from '../../../vocabulary/service-version.ts';
import { errorEnvelopeSchema } from '../error-envelope.ts';
import { declaredErrors } from './declared-errors.ts';
import { errorExamples } from './error-responses.ts';
import { eventWebhooks } from './event-webhooks.ts';
import { operationObjects, tagOf } from './operation-object.ts';
import { PARAMETER_COMPONENTS } from './request-parameters.ts';
import { HEADER_COMPONENTS } from './response-headers.ts';
import { SchemaComponents } from './schema-components.ts';
import { SharedResponses } from './shared-responses.ts';

const ABOUT = `Reads live bank and brokerage data, manages linked connections, and copies data to destinations.

Send \`Authorization: Bearer <API_KEY>\` and \`Service-Version\` with every request. Lists are newest first; follow \`next_page_url\` until it is null. Every failure has a stable \`code\` and a \`doc_url\` that says what to do.`;

/**
 * The OpenAPI 3.1 description of v2, derived entirely from the operations and their docs. Pure: the
 * same input gives the same text. `publicUrl` is where callers reach the service, without a slash at the end; `limits` are
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

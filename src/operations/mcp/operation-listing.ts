import type { TSchema } from 'typebox';
import type { AgentScope } from '../../vocabulary/oauth-scopes.ts';
import type { JsonOperation, Operation } from '../operation.ts';
import { BODY_WORDS, QUERY_WORDS } from '../v2/docs/common-docs.ts';
import { RESOURCE_DOCS } from '../v2/docs/reference.ts';
import { nameOfSchema } from '../v2/schema/conventions.ts';
import {
  describedSchema,
  type Json,
  type JsonSchema,
  objectSchema,
  plainObjectSchema,
  plainSchema,
} from './json-schema.ts';
import { addsConfirm, CONTEXT_SCHEMA, isDestructive, type Tool, type ToolHints } from './tool.ts';

/** What clients see of the tool of an operation, and what it needs besides its scope. */
export function listingOf(
  operation: JsonOperation,
): Pick<Tool, 'title' | 'description' | 'hints' | 'input' | 'output' | 'agentScopes'> {
  return {
    title: titleOf(operation),
    description: descriptionOf(operation),
    hints: hintsOf(operation),
    input: inputSchema(operation),
    output: outputSchema(operation),
    agentScopes: agentScopesFor(operation),
  };
}

function titleOf({ id }: JsonOperation): string {
  const words = id.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The summary says when to use it; its docs add its rules, or what it is about, and the units of its answer. */
function descriptionOf(operation: JsonOperation): string {
  const { id, summary, docs, response } = operation;
  const own = OWN_WORDS[id];
  if (own !== undefined) return own;
  const rules = docs.description ?? RESOURCE_DOCS[resourceOf(response)]?.description;
  return [
    `${summary}.`,
    ...(rules === undefined ? [] : [plainWords(rules)]),
    ...(JSON.stringify(response).includes('"money"') ? ['Amounts are integers in minor units.'] : []),
    ...(isDestructive(operation) ? ['Cannot be undone.'] : []),
  ].join(' ');
}

/** Where the words of the reference speak of what only a request of v2 has, or an agent does not see. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  get_me:
    'Shows the name and plan of the account record, what the plan includes and allows, its timezone, and the key in use.',
  list_connections:
    'List connections, newest first. Revoked ones are listed only where status names revoked.',
  list_balances:
    'Read the balances of many banking accounts in one answer, in the order asked. An account that cannot be read is unavailable and does not fail the others. Amounts are integers in minor units.',
  create_destination:
    'Create a webhook, or connect a server of your own with a secret. The other types are linked by a person, with create_destination_link. The signing secret of a webhook is not shown here: rotate it over the API to see one.',
  create_event_destination:
    'Subscribe an address to events. It must be public and use HTTPS on port 443. An account has at most 10. Its signing secret is not shown here: rotate it over the API to see one.',
};

/** The name of the resource that an operation answers, or of those in its list. */
function resourceOf(response: TSchema): string {
  const named = nameOfSchema(response);
  if (named !== null && !named.endsWith('_list')) return named;
  return named?.replace(/_list$/, '') ?? '';
}

/** The words of the reference without its marks, and with the names that agents know. */
function plainWords(text: string): string {
  return text
    .replaceAll('`X-Service-Truncated: true`', 'truncated: true')
    .replaceAll('next_page_url', 'next_page')
    .replaceAll('include[]', 'include')
    .replaceAll('`', '');
}

const PAGE_WORDS = 'next_page of the last answer; alone it continues the list.';
const LABEL_SCHEMA_WORDS: Readonly<Record<string, string>> = {
  id: 'Id of the object.',
  rule: 'Id of the rule.',
  delivery: 'Id of the delivery.',
  page: PAGE_WORDS,
};

/** One flat object of everything the operation takes, and of what its tool takes besides. */
function inputSchema(operation: Operation): JsonSchema {
  const { params, query, body, includes, effect, docs } = operation;
  const words = { ...QUERY_WORDS, ...BODY_WORDS, ...LABEL_SCHEMA_WORDS, ...docs.sent };
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
function outputSchema({ response }: Operation): JsonSchema {
  const schema = plainObjectSchema(response);
  const { next_page_url: next, previous_page_url: _previous, ...members } = schema.properties;
  if (next === undefined) return schema;
  const properties = { ...members, next_page: { type: ['string', 'null'] }, truncated: { type: 'boolean' } };
  return objectSchema(properties, Object.keys(properties));
}

/** Operations that only record what is asked for: a worker then acts at a provider, destination or receiver. */
export const ACTS_LATER: ReadonlySet<string> = new Set([
  'create_sync',
  'run_sync',
  'backfill_sync',
  'resync',
  'refresh_connection',
  'ping_event_destination',
  'redeliver_event',
]);

/** Operations that show rows of brokerage accounts where the sync they are about has some. */
export const SHOWS_SYNC_ROWS: ReadonlySet<string> = new Set(['dry_run_sync', 'verify_sync']);

/** What follows for a client from the operation's method and effect. */
function hintsOf(operation: Operation): ToolHints {
  const { id, method, effect, tier, update } = operation;
  const reads = effect === 'reads';
  return {
    readOnlyHint: reads,
    destructiveHint: isDestructive(operation),
    idempotentHint: reads || update || method === 'DELETE',
    openWorldHint: effect === 'reaches_out' || (reads && tier !== 'cheap') || ACTS_LATER.has(id),
  };
}

function agentScopesFor({ id, planGate }: Operation): readonly AgentScope[] {
  return planGate === 'brokerage_data' || SHOWS_SYNC_ROWS.has(id) ? ['brokerage:read'] : [];
}

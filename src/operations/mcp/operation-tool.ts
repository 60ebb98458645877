import type { JsonOperation, Operation } from '../operation.ts';
import { type Asked, OperationRequest } from '../operation-request.ts';
import { refuseUnstorableIn } from '../parameters.ts';
import { listingOf } from './operation-listing.ts';
import {
  type Arguments,
  addsConfirm,
  answerOf,
  InvalidArguments,
  isStructured,
  orInvalidArguments,
  type Tool,
  type ToolAnswer,
  type ToolContext,
  unknownArgument,
  withoutContext,
} from './tool.ts';

/** The tool of an operation, under its id or, where one of the six has that name, another. */
export function operationTool(operation: JsonOperation, name: string): Tool {
  const { tier, scope, alsoScopes, planGate, longest } = operation;
  const places = argumentPlaces(operation);
  return {
    name,
    ...listingOf(operation),
    ofV1: false,
    tier,
    scope,
    alsoScopes,
    planGate,
    longest,
    call: async (args, context) => {
      try {
        return await answerOperation(operation, operationCall(operation, places, args), context);
      } catch (error) {
        throw orInvalidArguments(error);
      }
    },
  };
}

type Values = Readonly<Record<string, unknown>>;

/** The parameters of an operation, as sent in a call. */
interface OperationCall extends Asked<Values, Values, Values> {
  readonly idempotencyKey: string | undefined;
}

/** Where each argument of the operation's tool goes. Raises a TypeError where two would have one name. */
function argumentPlaces(operation: Operation): ReadonlyMap<string, keyof Asked<0, 0, 0>> {
  const places = new Map<string, keyof Asked<0, 0, 0>>();
  for (const place of ['params', 'query', 'body'] as const) {
    for (const name of Object.keys(operation[place].properties)) {
      if (places.has(name)) throw new TypeError(`${operation.id} has two arguments named ${name}`);
      places.set(name, place);
    }
  }
  return places;
}

/**
 * Sorts the arguments of a call into what the operation takes, whose own schemas then look at the values. Raises
 * InvalidArguments.
 */
function operationCall(
  operation: Operation,
  places: ReadonlyMap<string, keyof Asked<0, 0, 0>>,
  sent: Arguments,
): OperationCall {
  const { include, idempotency_key: key, ...args } = confirmed(operation, withoutContext(sent));
  const found: Record<'params' | 'query' | 'body', [string, unknown][]> = { params: [], query: [], body: [] };
  for (const [name, value] of Object.entries(args)) {
    const place = places.get(name);
    if (place === undefined || place === 'include') throw unknownArgument(name);
    found[place].push([name, value]);
  }
  const call = {
    params: Object.fromEntries(found.params),
    query: Object.fromEntries(found.query),
    body: Object.fromEntries(found.body),
    include: includes(operation, include),
    idempotencyKey: idempotencyKey(operation, key),
  };
  refuseUnstorableIn(call.query);
  return continued(operation, call);
}

function confirmed(operation: Operation, args: Arguments): Arguments {
  if (!addsConfirm(operation)) return args;
  const { confirm, ...rest } = args;
  if (confirm === true) return rest;
  throw new InvalidArguments(
    'This cannot be undone. Ask the person first, then call again with confirm: true.',
    'confirm',
  );
}

function includes({ includes: offered }: Operation, include: unknown): ReadonlySet<string> {
  if (include === undefined) return new Set();
  if (offered.length === 0) throw unknownArgument('include');
  const named: unknown[] = Array.isArray(include) ? include : [include];
  const known = named.filter((name) => typeof name === 'string' && offered.includes(name)).map(String);
  if (known.length === named.length) return new Set(known);
  throw new InvalidArguments(`include must be a list of: ${offered.join(', ')}.`, 'include');
}

function idempotencyKey({ effect }: Operation, key: unknown): string | undefined {
  if (key === undefined) return undefined;
  if (effect === 'reads') throw unknownArgument('idempotency_key');
  if (typeof key === 'string') return key;
  throw new InvalidArguments('idempotency_key must be text.', 'idempotency_key');
}

/** A page token brings along what the address of the page has in v2. What is sent beside it goes first. */
function continued(operation: Operation, call: OperationCall): OperationCall {
  const { page, ...query } = call.query;
  if (typeof page !== 'string') return call;
  const { page: token, params, limit, include } = readPageToken(page);
  return {
    ...call,
    params: { ...params, ...call.params },
    query: { ...(limit === null ? {} : { limit }), ...query, page: token },
    include: new Set([...includes(operation, include.length === 0 ? undefined : include), ...call.include]),
  };
}

/** Members that contain a secret which is shown only once. */
const SECRETS: ReadonlySet<string> = new Set(['signing_secret', 'secret', 'setup_token']);
export const WITHHELD = '[not shown to agents: rotate the secret over the API to see one]';

/** The response without its secrets: a conversation is stored by others than its person. */
function withoutSecrets(answer: ToolAnswer['structured']): ToolAnswer['structured'] {
  const members = Object.entries(answer).map(([name, value]): [string, unknown] => {
    if (SECRETS.has(name) && typeof value === 'string') return [name, WITHHELD];
    return [name, isStructured(value) ? withoutSecrets(value) : value];
  });
  return Object.fromEntries(members);
}

type Structured = ToolAnswer['structured'];

/** What the operation answers, as an agent reads it: a list is cut to what fits, and goes on with a bare token. */
async function answerOperation(
  operation: JsonOperation,
  call: OperationCall,
  context: ToolContext,
): Promise<ToolAnswer> {
  const most = context.services.limits.mcp_answer_characters;
  const { body, truncated } = await ask(operation, call, context);
  if (!isList(body)) return answerOf(operation.answersSecret ? withoutSecrets(body) : body);
  const fitting = countFitting(body.data, most);
  if (fitting === body.data.length) return listed(body, call, truncated);
  if (Object.hasOwn(operation.query.properties, 'page')) {
    const fewer = { ...call, query: { ...call.query, limit: fitting } };
    const again = await ask(operation, fewer, context);
    if (isList(again.body)) return listed(again.body, fewer, again.truncated);
  }
  return listed({ ...body, data: body.data.slice(0, fitting) }, call, true);
}

/** `truncated`: whether the row ceiling of the service cut off the oldest rows. */
async function ask(
  operation: JsonOperation,
  { params, query, body, include, idempotencyKey }: OperationCall,
  { caller, services, from, signal }: ToolContext,
): Promise<{ readonly body: Structured; readonly truncated: boolean }> {
  let truncated = false;
  const asked = new OperationRequest<unknown, unknown, unknown>(
    { params, query, body, include },
    {
      caller,
      services,
      from,
      idempotencyKey,
      signal,
      mostCharacters: services.limits.mcp_answer_characters,
      header: (name, value) => {
        truncated ||= name.toLowerCase() === 'x-service-truncated' && value === 'true';
      },
    },
  );
  const { text, headers } = await operation.answer(asked);
  for (const [name, value] of headers) truncated ||= name === 'x-service-truncated' && value === 'true';
  const answered: unknown = JSON.parse(text);
  if (!isStructured(answered)) throw new TypeError(`${operation.id} answered something that is no object`);
  return { body: answered, truncated };
}

interface List extends Structured {
  readonly data: readonly unknown[];
}

function isList(body: Structured): body is List {
  return body.object === 'list' && Array.isArray(body.data);
}

function listed(
  { next_page_url: next, previous_page_url: _previous, ...list }: Structured,
  { params }: OperationCall,
  truncated: boolean,
): ToolAnswer {
  const texts = Object.entries(params).map(([name, value]) => [name, String(value)] as const);
  const page = typeof next === 'string' ? writePageToken(next, Object.fromEntries(texts)) : null;
  return answerOf({ ...list, next_page: page, truncated });
}

/** How many of the items fit; at least one, so that the list can continue. */
function countFitting(items: readonly unknown[], most: number): number {
  let characters = 0;
  for (const [at, item] of items.entries()) {
    characters += JSON.stringify(item).length + 1;
    if (characters > most) return Math.max(at, 1);
  }
  return items.length;
}

/** What goes on with a list besides its token, which holds the filters: v2 has these in the address of the page. */
interface PageRest {
  readonly params: Readonly<Record<string, string>>;
  readonly limit: number | null;
  readonly include: readonly string[];
}

const MOST_CHARACTERS = 8000;
const TOKEN = /^([\w-]+)\.([\w-]+)$/;

/**
 * A bare token for the page behind an address of v2, to be sent back alone. Only its first part is sealed: what follows
 * is what the caller could have sent themselves.
 */
function writePageToken(url: string, params: PageRest['params']): string {
  const query = new URL(url).searchParams;
  const limit = query.get('limit');
  const rest = [params, limit === null ? null : Number(limit), query.getAll('include[]')];
  return `${query.get('page')}.${Buffer.from(JSON.stringify(rest)).toString('base64url')}`;
}

/** Raises InvalidArguments for text of another form; whether the token was issued by us, v2 finds out. */
function readPageToken(text: string): PageRest & { readonly page: string } {
  const [, page = '', rest = ''] = (text.length > MOST_CHARACTERS ? null : TOKEN.exec(text)) ?? [];
  const bytes = Buffer.from(rest, 'base64url');
  const read = bytes.toString('base64url') === rest ? parse(bytes.toString()) : null;
  if (page === '' || read === null) {
    throw new InvalidArguments('page is not the next_page of a list.', 'page');
  }
  return { page, ...read };
}

function parse(text: string): PageRest | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return null;
    const [params, limit, include]: unknown[] = value;
    if (!isTextRecord(params) || !isTextList(include)) return null;
    return limit === null || typeof limit === 'number' ? { params, limit, include } : null;
  } catch {
    return null;
  }
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === 'string')
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

import type { Caller } from '../../features/access/caller.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { JsonOperation, Operation } from '../operation.ts';
import { OperationRequest } from '../operation-request.ts';
import type { Services } from '../services.ts';
import { EXPORTED_LISTS, type ExportedList, WITHOUT_LIST } from './exported-lists.ts';

type JsonObject = Readonly<Record<string, unknown>>;

interface DataExportContext {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** What is exported besides the lists, by name: the members. */
  readonly beside: Readonly<Record<string, unknown>>;
}

/**
 * Everything the service stores of an account record, as one JSON document in pieces (docs/your-data.md): the account
 * record, what is `beside` it, and each of EXPORTED_LISTS as v2 shows it, without secrets. A list that the caller's
 * scopes do not reach is left out. Raises what its operations raise, so a document that ends is whole.
 */
export async function* dataExport(context: DataExportContext): AsyncGenerator<string> {
  const { services, caller, beside } = context;
  const record = await ask(context, 'get_me', {}, {});
  const head = { exported_at: new Date(services.clock.now()).toISOString(), account: record, ...beside };
  yield JSON.stringify(head).slice(0, -1);
  for (const [name, list] of Object.entries(EXPORTED_LISTS)) {
    const { scope } = operationNamed(context, list.operation);
    if (scope !== null && !caller.scopes.has(scope)) continue;
    yield `,\n${JSON.stringify(name)}:`;
    yield* written(pagesOf(context, list.operation, {}), (item) => writtenItem(context, item, list));
  }
  yield '}\n';
}

/**
 * An item with its lists, which are streamed: a sync may have had very many runs. What is deleted while the document is
 * written is null.
 */
async function* writtenItem(
  context: DataExportContext,
  item: JsonObject,
  { within = {}, beside = {} }: ExportedList,
): AsyncGenerator<string> {
  yield JSON.stringify(item).slice(0, -1);
  for (const [name, list] of Object.entries(within)) {
    yield `,${JSON.stringify(name)}:`;
    yield* written(listWithin(context, list, item), async function* (one) {
      yield JSON.stringify(one);
    });
  }
  for (const [name, operation] of Object.entries(beside)) {
    const answer = await ask(context, operation, { id: item.id }, {}).catch(nullIfDeleted);
    yield `,${JSON.stringify(name)}:${JSON.stringify(answer)}`;
  }
  yield '}';
}

function nullIfDeleted(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'resource_missing') return null;
  throw error;
}

async function* written(
  items: AsyncIterable<JsonObject>,
  write: (item: JsonObject) => AsyncIterable<string>,
): AsyncGenerator<string> {
  let separator = '[\n';
  let empty = true;
  for await (const item of items) {
    yield separator;
    yield* write(item);
    separator = ',\n';
    empty = false;
  }
  yield empty ? '[]' : ']';
}

/** The list of an item; empty if items of its kind have none, as syncs to a destination without categories. */
async function* listWithin(
  context: DataExportContext,
  operation: string,
  { id }: JsonObject,
): AsyncGenerator<JsonObject> {
  try {
    yield* pagesOf(context, operation, { id });
  } catch (error) {
    if (!(error instanceof ServiceError && WITHOUT_LIST.includes(error.code))) throw error;
  }
}

async function* pagesOf(
  context: DataExportContext,
  operation: string,
  params: JsonObject,
): AsyncGenerator<JsonObject> {
  const paged = Object.hasOwn(operationNamed(context, operation).query.properties, 'page');
  let query: JsonObject = paged ? { limit: context.services.limits.page_size_max } : {};
  for (;;) {
    const { data, next_page_url: next } = await ask(context, operation, params, query);
    for (const item of Array.isArray(data) ? data : []) if (isJsonObject(item)) yield item;
    const page = typeof next === 'string' ? new URL(next).searchParams.get('page') : null;
    if (page === null) return;
    query = { ...query, page };
  }
}

async function ask(
  context: DataExportContext,
  operation: string,
  params: JsonObject,
  query: JsonObject,
): Promise<JsonObject> {
  const { caller, services, signal } = context;
  signal.throwIfAborted();
  const request = new OperationRequest<unknown, unknown, unknown>(
    { params, query, body: {}, include: new Set() },
    {
      caller,
      services,
      from: null,
      idempotencyKey: undefined,
      signal: () => signal,
      header: () => undefined,
    },
  );
  const { text } = await operationNamed(context, operation).answer(request);
  const answer: unknown = JSON.parse(text);
  if (!isJsonObject(answer)) throw new TypeError(`${operation} answered something that is no object`);
  return answer;
}

function operationNamed({ operations }: DataExportContext, id: string): JsonOperation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined || found.streamed !== null)
    throw new TypeError(`there is no operation ${id} that answers JSON`);
  return found;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { List, type Page, type SetAsideRow } from './list.ts';
import type { Exchange, Requests } from './requests.ts';

/** What the generated code says of an operation: one row of the service's operation table. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `/v2/accounts/:id` */
  readonly path: string;
  /** Names of query parameters as they are sent; those that end in `[]` take several values. */
  readonly query?: readonly string[];
}

/** Settings of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Names this request for 30 days, so that it is done once. Without one, a write has a random key of its own. */
  readonly idempotencyKey?: string | undefined;
  /** Attempts after the first one; those of the client unless given. */
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** As that of the client, for a call that may take longer, such as a verification of many rows. */
  readonly timeoutMs?: number | undefined;
}

const PAGE = 'page';

/** Turns the calls of the generated methods into requests, and answers into what the methods promise. */
export class Calls {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** The resource that the operation answers. */
  async one<T>(operation: Operation, input: object, options: CallOptions = {}): Promise<T> {
    return (await this.#requests.answer<T>(exchangeOf(operation, input, options))).body;
  }

  /** The list that the operation answers, page by page. */
  list<T>(operation: Operation, input: object, options: CallOptions = {}): List<T> {
    return new List(async (page) => {
      const asked = page === null ? input : { ...input, [PAGE]: page };
      const { body, headers } = await this.#requests.answer<Envelope<T>>(
        exchangeOf(operation, asked, options),
      );
      return pageOf(body, headers);
    });
  }

  /** The response as it comes, for an operation whose answer is streamed. Read or cancel its body. */
  stream(operation: Operation, input: object, options: CallOptions = {}): Promise<Response> {
    return this.#requests.response(exchangeOf(operation, input, options));
  }
}

interface Envelope<T> {
  readonly data: readonly T[];
  readonly next_page_url: string | null;
  readonly previous_page_url: string | null;
  /** Only lists of rows of a bank have it. */
  readonly set_aside?: readonly SetAsideRow[];
}

/** Only the token of an address is followed: it names the service's public address, which may not be the one in use. */
function pageOf<T>(envelope: Envelope<T>, headers: Headers): Page<T> {
  const token = (url: string | null) => (url === null ? null : new URL(url).searchParams.get(PAGE));
  return {
    data: envelope.data,
    next: token(envelope.next_page_url),
    previous: token(envelope.previous_page_url),
    truncated: headers.get('x-service-truncated') === 'true',
    setAside: envelope.set_aside ?? [],
  };
}

/** Members of `input` that the path or the query names go there; the others are the body. */
function exchangeOf(operation: Operation, input: object, options: CallOptions): Exchange {
  const { method, query = [] } = operation;
  const members: readonly (readonly [string, unknown])[] = Object.entries(input);
  const rest = new Map(members.filter(([, value]) => value !== undefined));
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    // An empty part would make this the address of another operation, such as the list of what was to be deleted.
    if (typeof value !== 'string' || value === '') throw new TypeError(`${operation.id} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const name of query) {
    const key = name.replace('[]', '');
    const value = rest.get(key);
    rest.delete(key);
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  if (method === 'GET' && rest.size > 0)
    throw new TypeError(`${operation.id} takes no ${[...rest.keys()].join(', ')}`);
  return {
    method,
    path: search.size === 0 ? path : `${path}?${search}`,
    body: rest.size === 0 ? undefined : JSON.stringify(Object.fromEntries(rest)),
    ...options,
  };
}

import { type TSchema, Type } from 'typebox';
import { type Sealer, UnsealError } from '../platform/sealing.ts';
import { ERROR_CODES } from '../vocabulary/error-codes.ts';
import type { OwnerId } from '../vocabulary/ids.ts';
import type { Page, PageRequest } from '../vocabulary/paging.ts';
import { ServiceError } from '../vocabulary/service-error.ts';
import { JsonText, type UnparsedRequest } from './operation-request.ts';
import { limited, refusedAs } from './v2/schema/bounds.ts';
import { nameOfSchema } from './v2/schema/conventions.ts';

/** Far longer than a token with the longest filters. */
const MAX_TOKEN_CHARACTERS = 12_000;

/** Query parameters of every paged list (docs/api-conventions.md#lists-and-paging). */
export const pagingQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      ...limited({ maximum: 'page_size_max', default: 'page_size_default' }),
      description: 'Items a page.',
    }),
  ),
  page: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TOKEN_CHARACTERS,
      description: 'The token of a next_page_url or previous_page_url.',
      ...refusedAs('page_invalid', ERROR_CODES.page_invalid.message),
    }),
  ),
};

/**
 * For a list that is sent in one response, whatever a generic client requests
 * (docs/api-conventions.md#lists-and-paging).
 */
export const IGNORED_LIMIT = Type.Optional(Type.String({ description: 'Ignored: the list has no pages.' }));

/** The list envelope around one resource. */
export function listOf<T extends TSchema>(item: T) {
  const name = nameOfSchema(item);
  return Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(item),
      next_page_url: Type.Union([Type.String(), Type.Null()]),
      previous_page_url: Type.Union([Type.String(), Type.Null()]),
    },
    { additionalProperties: false, ...(name === null ? {} : { $comment: `${name}_list` }) },
  );
}

/** Whether the schema is that of a list in its envelope. */
export function isListSchema(schema: TSchema): boolean {
  return nameOfSchema(schema)?.endsWith('_list') === true;
}

export interface ListEnvelope<T> {
  readonly object: 'list';
  readonly data: T[];
  readonly next_page_url: string | null;
  readonly previous_page_url: string | null;
}

/** A list that is sent in one response. */
export function wholeList<T>(data: T[]): ListEnvelope<T> {
  return { object: 'list', data, next_page_url: null, previous_page_url: null };
}

type QueryValues = Readonly<Record<string, unknown>>;

/** A request for a page of a list: reads its token and issues those of the neighbouring pages. */
export class ListRequest {
  readonly limit: number;
  /** The filters to apply: those in the token, else those of the query. */
  readonly filters: Readonly<Record<string, string>>;
  readonly token: PageToken | null;
  readonly #request: UnparsedRequest;
  readonly #operation: string;
  readonly #path: string;

  /**
   * `query` is the parsed query with `limit` and `page`; everything else in it is a filter. A token may come alone or
   * with the filters it began with. Raises `page_invalid`, `page_filters_changed`.
   */
  constructor(request: UnparsedRequest, operation: string, path: string, query: QueryValues) {
    const { limit, page, ...sent } = query;
    const { limits, pageSealer } = request.services;
    this.#request = request;
    this.#operation = operation;
    this.#path = path;
    this.limit = typeof limit === 'number' ? limit : limits.page_size_default;
    const given = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, filterText(value)]));
    this.token = typeof page === 'string' ? readPageToken(pageSealer, this.#owner, operation, page) : null;
    if (this.token !== null) refuseChanged(given, this.token.filters);
    this.filters = this.token?.filters ?? given;
  }

  get #owner() {
    return this.#request.caller.accountRecord.id;
  }

  /** One filter's text, or undefined if the request has no such filter. */
  filter(name: string): string | undefined {
    return this.filters[name];
  }

  /** The values of a bracketed filter, or undefined if the request has no such filter. */
  filterList(name: string): string[] | undefined {
    return this.filters[name]?.split(',');
  }

  /** For lists ordered newest first by row id. */
  get pageRequest(): PageRequest {
    const position = this.token?.position[0] ?? null;
    const backwards = this.token?.direction === 'previous';
    return { limit: this.limit, after: backwards ? null : position, before: backwards ? position : null };
  }

  /** The envelope of a page of rows, each shown by `present`. */
  envelope<Row extends { readonly id: string }, T>(
    page: Page<Row>,
    present: (row: Row) => T,
  ): ListEnvelope<T> {
    const first = page.items[0];
    const last = page.items.at(-1);
    return {
      object: 'list',
      data: page.items.map(present),
      // Without an item, because those before it were deleted, the list starts from its beginning.
      next_page_url: page.hasMore ? this.url('next', last === undefined ? [] : [last.id]) : null,
      previous_page_url: page.hasPrevious && first !== undefined ? this.url('previous', [first.id]) : null,
    };
  }

  /** The absolute address of a neighbouring page, which includes what this one did. */
  url(direction: PageToken['direction'], position: readonly (string | null)[]): string {
    const token = { filters: this.filters, position, direction };
    const { pageSealer, publicUrl } = this.#request.services;
    const page = issuePageToken(pageSealer, this.#owner, this.#operation, token);
    const include = [...this.#request.include].map((name) => `&include[]=${name}`).join('');
    return `${publicUrl}${this.#path}?limit=${this.limit}${include}&page=${page}`;
  }
}

/** Arrays are sets to a filter: their order does not change the paging. */
function filterText(value: unknown): string {
  return Array.isArray(value) ? [...value].sort().join(',') : String(value);
}

function refuseChanged(
  given: Readonly<Record<string, string>>,
  begun: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (begun[name] !== value) throw new ServiceError('page_filters_changed', { param: name });
  }
}

/** The position of a page in a list, and the filters of the first page. Values are what the caller sent, as text. */
interface PageToken {
  readonly filters: Readonly<Record<string, string>>;
  readonly position: readonly (string | null)[];
  readonly direction: 'next' | 'previous';
}

/**
 * A sealed page token (docs/api-conventions.md#lists-and-paging): opaque, impossible to forge, and worthless to another
 * account record or another list, because both are part of what the seal covers.
 */
export function issuePageToken(sealer: Sealer, owner: OwnerId, operation: string, token: PageToken): string {
  const text = JSON.stringify([token.filters, token.position, token.direction]);
  return sealer.sealToken(text, context(owner, operation));
}

/** Raises `page_invalid` for anything this service did not issue to this caller for this list. */
function readPageToken(sealer: Sealer, owner: OwnerId, operation: string, text: string): PageToken {
  const token = parseToken(openToken(sealer, owner, operation, text));
  if (token === null) throw new ServiceError('page_invalid', { param: 'page' });
  return token;
}

function openToken(sealer: Sealer, owner: OwnerId, operation: string, text: string): string {
  try {
    return sealer.openToken(text, context(owner, operation)).toString('utf8');
  } catch (error) {
    if (error instanceof UnsealError) throw new ServiceError('page_invalid', { param: 'page' });
    throw error;
  }
}

function context(owner: OwnerId, operation: string): string {
  return `page:${operation}:${owner}`;
}

function parseToken(text: string): PageToken | null {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [filters, position, direction]: unknown[] = value;
  if (!isTextRecord(filters) || !isPosition(position)) return null;
  return direction === 'next' || direction === 'previous' ? { filters, position, direction } : null;
}

function isTextRecord(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === 'string')
  );
}

function isPosition(value: unknown): value is (string | null)[] {
  return Array.isArray(value) && value.every((entry) => entry === null || typeof entry === 'string');
}

/** Pages cached for one set of rows; a caller that polls asks for the first one or two. */
const MAX_PAGES = 4;

interface Pages {
  readonly shownBy: object;
  readonly texts: Map<string, JsonText>;
}

/**
 * Written pages of rows that live in a cache. A page is forgotten with its rows, and is good only for the same way of
 * showing them (`shownBy`, compared by identity) and the same `key`, which names everything else that shapes it.
 */
export class PageCache {
  readonly #pages = new WeakMap<object, Pages>();

  json(rows: object, shownBy: object, key: string, write: () => string): JsonText {
    const known = this.#pages.get(rows);
    const pages = known?.shownBy === shownBy ? known : { shownBy, texts: new Map<string, JsonText>() };
    const cached = pages.texts.get(key);
    if (cached !== undefined) return cached;
    const text = new JsonText(write());
    if (pages.texts.size >= MAX_PAGES) pages.texts.clear();
    pages.texts.set(key, text);
    if (pages !== known) this.#pages.set(rows, pages);
    return text;
  }
}

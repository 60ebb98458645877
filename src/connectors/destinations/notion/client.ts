import type { Static, TSchema } from 'typebox';
import type { Quota } from '../../../platform/quotas.ts';
import type { DestinationAccess } from '../destination-contract.ts';
import { RUN_WAIT_MS, type VendorCall, type VendorClient } from '../kit/vendor-client.ts';
import type { Column, PageProperties, SchemaChange } from './columns.ts';
import {
  ChildrenAnswer,
  DatabaseAnswer,
  DataSourceAnswer,
  FoundPages,
  FoundSources,
  PageAnswer,
  RowPageAnswer,
} from './wire.ts';

/**
 * Three calls a second, evenly spread, so that no window of the vendor is exceeded, whenever it begins. The window is
 * 100 ms shorter, because every call counts that much longer than its window.
 */
const QUOTA: Quota = { name: 'notion-grant', amount: 1, windowMs: 234 };
const PAGE_SIZE = 100;
/** The most conditions of one filter. */
export const FILTER_IDS = 100;

const READS = { writes: false, repeatable: true } as const;

/** The calls of Notion's API that a destination needs, for one grant. Raises what VendorClient raises. */
export class NotionApi {
  readonly #client: VendorClient;
  readonly #access: DestinationAccess;
  readonly #longestWaitMs: number;

  /** @param longestWaitMs for quotas and further attempts: less if a person is waiting */
  constructor(client: VendorClient, access: DestinationAccess, longestWaitMs = RUN_WAIT_MS) {
    this.#client = client;
    this.#access = access;
    this.#longestWaitMs = longestWaitMs;
  }

  database(id: string, signal: AbortSignal) {
    return this.#call({ ...READS, method: 'GET', path: at('databases', id), expect: DatabaseAnswer, signal });
  }

  dataSource(id: string, signal: AbortSignal) {
    const path = at('data_sources', id);
    return this.#call({ ...READS, method: 'GET', path, expect: DataSourceAnswer, signal });
  }

  /** The change is idempotent and affects no row: a failure leaves no unconfirmed row. */
  changeProperties(id: string, properties: SchemaChange, signal: AbortSignal) {
    const path = at('data_sources', id);
    return this.#call({
      ...READS,
      method: 'PATCH',
      path,
      body: { properties },
      expect: DataSourceAnswer,
      signal,
    });
  }

  /** One page of the rows whose text in a property is one of those given, with the given properties. */
  rowsWith(
    { source, property, texts, show, cursor }: RowQuery,
    signal: AbortSignal,
  ): Promise<Static<typeof RowPageAnswer>> {
    return this.#call({
      ...READS,
      method: 'POST',
      path: `${at('data_sources', source)}/query`,
      query: show.map((id) => ['filter_properties', id] as const),
      body: {
        filter: { or: texts.map((text) => ({ property, rich_text: { equals: text } })) },
        page_size: PAGE_SIZE,
        ...(cursor === null ? {} : { start_cursor: cursor }),
      },
      expect: RowPageAnswer,
      signal,
    });
  }

  /**
   * One page of the rows that have a text in a property, oldest first, with the given properties. One query returns at
   * most 10,000 rows. @param since only rows created in that minute or later
   */
  rowsSince(
    { source, property, show, since, cursor }: Omit<RowQuery, 'texts'> & { readonly since: string | null },
    signal: AbortSignal,
  ): Promise<Static<typeof RowPageAnswer>> {
    const named = { property, rich_text: { is_not_empty: true } };
    const later = { timestamp: 'created_time', created_time: { on_or_after: since } };
    return this.#call({
      ...READS,
      method: 'POST',
      path: `${at('data_sources', source)}/query`,
      query: show.map((id) => ['filter_properties', id] as const),
      body: {
        filter: since === null ? named : { and: [named, later] },
        sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
        page_size: PAGE_SIZE,
        ...(cursor === null ? {} : { start_cursor: cursor }),
      },
      expect: RowPageAnswer,
      signal,
    });
  }

  /** Whether a row that has a text in the property `ids` has anything in another. */
  async isFilled(
    source: string,
    ids: string,
    { id: property, kind }: Pick<Column, 'id' | 'kind'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { results } = await this.#call({
      ...READS,
      method: 'POST',
      path: `${at('data_sources', source)}/query`,
      query: [['filter_properties', ids] as const],
      body: {
        filter: {
          and: [
            { property: ids, rich_text: { is_not_empty: true } },
            { property, [kind]: { is_not_empty: true } },
          ],
        },
        page_size: 1,
      },
      expect: RowPageAnswer,
      signal,
    });
    return results.length > 0;
  }

  page(id: string, signal: AbortSignal) {
    return this.#call({ ...READS, method: 'GET', path: at('pages', id), expect: PageAnswer, signal });
  }

  /** Must not be repeated: the API has no key by which it would recognise the row. */
  createRow(source: string, properties: PageProperties, signal: AbortSignal) {
    return this.#call({
      method: 'POST',
      path: '/v1/pages',
      body: { parent: { type: 'data_source_id', data_source_id: source }, properties },
      expect: PageAnswer,
      repeatable: false,
      writes: true,
      signal,
    });
  }

  updatePage(
    id: string,
    change: { readonly properties: PageProperties } | { readonly in_trash: boolean },
    signal: AbortSignal,
  ) {
    return this.#call({
      method: 'PATCH',
      path: at('pages', id),
      body: change,
      expect: PageAnswer,
      repeatable: true,
      writes: true,
      signal,
    });
  }

  /** One page of the data sources shared with us. @param text what their names contain */
  findSources(cursor: string | null, signal: AbortSignal, text: string | null = null) {
    const body = searchBody('data_source', cursor, text);
    return this.#call({
      ...READS,
      method: 'POST',
      path: '/v1/search',
      body,
      expect: FoundSources,
      signal,
    });
  }

  findPages(cursor: string | null, signal: AbortSignal) {
    const body = searchBody('page', cursor, null);
    return this.#call({ ...READS, method: 'POST', path: '/v1/search', body, expect: FoundPages, signal });
  }

  children(page: string, cursor: string | null, signal: AbortSignal) {
    const query: (readonly [string, string])[] = [['page_size', String(PAGE_SIZE)]];
    if (cursor !== null) query.push(['start_cursor', cursor]);
    const path = `${at('blocks', page)}/children`;
    return this.#call({ ...READS, method: 'GET', path, query, expect: ChildrenAnswer, signal });
  }

  createDatabase(
    {
      parent,
      title,
      properties,
    }: { readonly parent: string; readonly title: string; readonly properties: SchemaChange },
    signal: AbortSignal,
  ) {
    return this.#call({
      method: 'POST',
      path: '/v1/databases',
      body: {
        parent: { type: 'page_id', page_id: parent },
        title: [{ type: 'text', text: { content: title } }],
        initial_data_source: { properties },
      },
      expect: DatabaseAnswer,
      repeatable: false,
      writes: true,
      signal,
    });
  }

  #call<T extends TSchema>(call: Omit<VendorCall<T>, 'quotas' | 'longestWaitMs'>): Promise<Static<T>> {
    return this.#client.call(this.#access, {
      ...call,
      quotas: (holder) => [{ quota: QUOTA, key: holder }],
      longestWaitMs: this.#longestWaitMs,
    });
  }
}

interface RowQuery {
  readonly source: string;
  /** Id of the property to check. */
  readonly property: string;
  readonly texts: readonly string[];
  /** Ids of the properties to return. */
  readonly show: readonly string[];
  readonly cursor: string | null;
}

function at(kind: string, id: string): string {
  return `/v1/${kind}/${encodeURIComponent(id)}`;
}

function searchBody(value: 'page' | 'data_source', cursor: string | null, text: string | null) {
  return {
    filter: { property: 'object', value },
    page_size: PAGE_SIZE,
    ...(text === null ? {} : { query: text }),
    ...(cursor === null ? {} : { start_cursor: cursor }),
  };
}

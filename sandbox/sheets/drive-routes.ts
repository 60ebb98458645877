import type { JsonObject } from '../shared/json.ts';
import { digest } from '../shared/random.ts';
import { json, type Reply } from '../shared/reply.ts';
import type { SimulatedRequest } from '../shared/request.ts';
import type { Book } from './book.ts';
import type { Books } from './books.ts';
import { GoogleError } from './errors.ts';
import { fieldMask, masked } from './field-mask.ts';

const SHEET_TYPE = 'application/vnd.google-apps.spreadsheet';
const FLAGS = ['supportsAllDrives', 'includeItemsFromAllDrives'];
const ORDERS: Readonly<Record<string, (a: Book, b: Book) => number>> = {
  'modifiedTime desc': (a, b) => b.modified - a.modified,
  'createdTime desc': (a, b) => b.created - a.created,
  name: (a, b) => (a.title < b.title ? -1 : 1),
};

/** The calls of the Drive API v3 that the simulator supports. */
export class DriveRoutes {
  readonly #books: Books;
  readonly #pagesUrl: () => string;

  constructor(books: Books, pagesUrl: () => string) {
    this.#books = books;
    this.#pagesUrl = pagesUrl;
  }

  /** `GET /drive/v3/about`, which requires a field mask. */
  about({ query }: SimulatedRequest): Reply {
    checkNames(query, ['fields']);
    const fields = query.get('fields');
    if (fields === null)
      throw new GoogleError(400, 'required', 'The fields parameter is required for this method.');
    const user = { kind: 'drive#user', displayName: 'Sandbox Person', me: true, permissionId: PERSON };
    return json(200, masked({ kind: 'drive#about', user }, fieldMask(fields)));
  }

  /** `GET /drive/v3/files` */
  list({ query }: SimulatedRequest): Reply {
    checkNames(query, ['q', 'fields', 'pageSize', 'pageToken', 'orderBy', ...FLAGS]);
    const size = Number(query.get('pageSize') ?? 100);
    if (!Number.isInteger(size) || size < 1 || size > 1000) throw badValue('pageSize');
    const order = ORDERS[query.get('orderBy') ?? 'modifiedTime desc'];
    if (order === undefined) throw badValue('orderBy');
    const wanted = conditionsOf(query.get('q') ?? '');
    const books = this.#books
      .all()
      .filter((book) => book.granted && wanted.every((isWanted) => isWanted(book)))
      // If times are equal, the order of creation applies.
      .toReversed()
      .toSorted(order);
    const start = Number(query.get('pageToken')?.replace(/^page-/, '') ?? 0);
    if (!Number.isInteger(start)) throw badValue('pageToken');
    const page = books.slice(start, start + size);
    const more = start + size < books.length ? { nextPageToken: `page-${start + size}` } : {};
    const answer = {
      kind: 'drive#fileList',
      incompleteSearch: false,
      files: page.map((one) => this.#file(one)),
      ...more,
    };
    return json(200, masked(answer, maskOf(query)));
  }

  /** `GET /drive/v3/files/{id}` */
  get({ query, params }: SimulatedRequest): Reply {
    checkNames(query, ['fields', 'supportsAllDrives']);
    const id = decodeURIComponent(params.id ?? '');
    const book = this.#books.find(id);
    if (book === null) throw new GoogleError(404, 'notFound', `File not found: ${id}.`);
    return json(200, masked(this.#file(book), maskOf(query)));
  }

  #file({ id, title, trashed, isReadOnly, created, modified }: Book): JsonObject {
    return {
      kind: 'drive#file',
      id,
      name: title,
      mimeType: SHEET_TYPE,
      trashed,
      capabilities: { canEdit: !isReadOnly },
      createdTime: new Date(created).toISOString(),
      modifiedTime: new Date(modified).toISOString(),
      webViewLink: `${this.#pagesUrl()}/spreadsheets/d/${id}/edit`,
    };
  }
}

/** The only person's permission id. */
const PERSON = String(BigInt(`0x${digest('person').slice(0, 16)}`)).padStart(20, '0');
const DEFAULT_FIELDS = 'kind,incompleteSearch,nextPageToken,files(kind,id,name,mimeType),id,name,mimeType';

function maskOf(query: URLSearchParams) {
  return fieldMask(query.get('fields') ?? DEFAULT_FIELDS);
}

/** Conditions joined by `and`; each in its documented form. */
function conditionsOf(q: string): readonly ((book: Book) => boolean)[] {
  if (q.trim() === '') return [];
  return q.split(' and ').map((part) => {
    const [, name, text] =
      /^\s*(mimeType|name|trashed)\s*=\s*(true|false|'(?:[^'\\]|\\.)*')\s*$/.exec(part) ?? [];
    const value = (text ?? '').replace(/^'|'$/g, '').replaceAll(/\\(.)/g, '$1');
    if (name === 'mimeType') return () => value === SHEET_TYPE;
    if (name === 'trashed') return ({ trashed }: Book) => String(trashed) === value;
    if (name === 'name') return ({ title }: Book) => title === value;
    throw badValue('q');
  });
}

function checkNames(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) if (!known.includes(name)) throw badValue(name);
}

const badValue = (name: string): GoogleError => new GoogleError(400, 'invalid', `Invalid Value: ${name}`);

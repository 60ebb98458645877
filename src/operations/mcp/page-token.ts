import { InvalidArguments } from './invalid-arguments.ts';

/** What goes on with a list besides its token, which holds the filters: v2 has these in the address of the page. */
export interface PageRest {
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
export function writePageToken(url: string, params: PageRest['params']): string {
  const query = new URL(url).searchParams;
  const limit = query.get('limit');
  const rest = [params, limit === null ? null : Number(limit), query.getAll('include[]')];
  return `${query.get('page')}.${Buffer.from(JSON.stringify(rest)).toString('base64url')}`;
}

/** Raises InvalidArguments for text of another form; whether the token was issued by us, v2 finds out. */
export function readPageToken(text: string): PageRest & { readonly page: string } {
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

import { isWireObject, malformed } from './json.ts';
import { inner, text } from './members.ts';

/**
 * The cursor inside `links.next`; null after the last page. Only its value is taken: the address is the vendor's word
 * for where to send our token next, and it is not followed. Raises UpstreamFailure for an address without a cursor.
 *
 * @param parameter of the query, which holds the cursor
 */
export function cursorOfNextLink(answer: unknown, parameter: string): string | null {
  const links = isWireObject(answer) ? inner(answer, 'links') : null;
  const next = links === null ? null : text(links, 'next');
  if (next === null) return null;
  const cursor = URL.parse(next, 'https://unused.invalid')?.searchParams.get(parameter) ?? '';
  if (cursor === '') throw malformed('its next page has no cursor');
  return cursor;
}

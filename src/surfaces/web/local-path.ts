const ANYWHERE = 'http://local.invalid';
const MOST_CHARACTERS = 8_000;
/** Browsers read a backslash as a slash, and remove tabs and line breaks, before they resolve an address. */
const MISREAD = /[\\\p{Cc} ]/u;

/**
 * The address on this host that a text names, or null: the author of a link to the sign-in page must not be able to
 * send the person to another site.
 */
export function localPath(text: string | null): string | null {
  if (text === null || text.length > MOST_CHARACTERS) return null;
  if (!text.startsWith('/') || MISREAD.test(text)) return null;
  const url = URL.parse(text, ANYWHERE);
  if (url === null || url.origin !== ANYWHERE) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/.//host` is a path, but names another host once it has been resolved.
  return path.startsWith('//') ? null : path;
}

import { FIXED_LIMITS } from './limits.ts';

/** Below `PUBLIC_URL`: pictures made by the service, for institutions without a usable logo. */
export const LOGOS_PATH = '/logos';

/** The name of such a picture: one or two letters or digits, and a hue in degrees. */
export const LOGO_FILE = /^([\p{L}\p{N}]{1,2})-(\d{1,3})\.svg$/u;

const HUES = 360;
/** For a name that has neither letters nor digits. */
const NO_LETTER = '0';

/**
 * A bank's logo if it can be passed on: an absolute `https:` address without credentials, of bounded length, as a
 * browser would normalise it, or one of the service itself, which may be `http:`. Null for anything else, because
 * clients would load a `data:` or `javascript:` address.
 * @param publicUrl of the service, without a trailing slash
 */
export function logoUrl(given: string | null, publicUrl: string): string | null {
  if (given === null || given.length > FIXED_LIMITS.url_characters || !URL.canParse(given)) return null;
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') return null;
  if (url.protocol !== 'https:' && !url.href.startsWith(`${publicUrl}/`)) return null;
  return url.href.length > FIXED_LIMITS.url_characters ? null : url.href;
}

/** The address of a picture with the initials of an institution, always the same for the same name. */
export function initialsUrl(name: string, publicUrl: string): string {
  const words = name.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [NO_LETTER];
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? NO_LETTER);
  const hue = [...name].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % HUES, 0);
  return `${publicUrl}${LOGOS_PATH}/${encodeURIComponent(letters.join(''))}-${hue}.svg`;
}

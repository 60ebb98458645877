import { FIXED_LIMITS } from './limits.ts';

/**
 * A bank's logo as it may be passed on: an absolute `https:` address without credentials, of bounded length, in the
 * form a browser reads it. Null for anything else: what shows our answers would load a `data:` or `javascript:` address.
 */
export function logoUrl(given: string | null): string | null {
  if (given === null || given.length > FIXED_LIMITS.url_characters || !URL.canParse(given)) return null;
  const url = new URL(given);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  return url.href.length > FIXED_LIMITS.url_characters ? null : url.href;
}

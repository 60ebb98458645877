import { FIXED_LIMITS } from '../vocabulary/limits.ts';
import type { AddressGuard } from './address-guard.ts';

export type WebhookUrl = { readonly url: string } | { readonly refusal: string };

/**
 * The address in the normal form that is stored and compared, or why no webhook may go there. The same guard checks
 * every connection again, since what a name resolves to can change.
 */
export function validateWebhookUrl(guard: AddressGuard, text: string): WebhookUrl {
  if (text.length > FIXED_LIMITS.url_characters) {
    return { refusal: `The URL is longer than ${FIXED_LIMITS.url_characters} characters.` };
  }
  const url = URL.parse(text);
  if (url === null) return { refusal: 'This is not a URL.' };
  const refusal = guard.checkUrl(url, { httpsOnly: true, ports: [443] });
  if (refusal !== null) return { refusal };
  url.hash = '';
  return { url: url.href };
}

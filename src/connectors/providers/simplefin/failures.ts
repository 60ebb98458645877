import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import { list, text, texts, type WireObject } from '../kit/json.ts';
import type { VendorErrors } from '../kit/vendor-calls.ts';

/** Errors of a server: HTTP statuses, and an account set without accounts whose errors are texts. */
export const SIMPLEFIN_ERRORS: VendorErrors = {
  read: (body) => ({ codes: [], message: messagesOf(body)[0] ?? null }),
  codes: [],
  situation: (status, _kind, response) => {
    // The server itself has not seen the request. Limits and outages mean the same on a page.
    if (status >= 400 && status < 429 && isWebPage(response)) return 'temporarily_unavailable';
    switch (status) {
      case 401:
      case 403:
        // The access URL is the consent: the person has disabled it, or the server has.
        return 'grant_rejected';
      case 402:
        // The person's subscription has ended; the access works again once it is paid.
        return 'temporarily_unavailable';
      case 503:
        return 'server_error';
      default:
        return null;
    }
  },
};

/** What the server says to the person, from `errlist` of version 2 or `errors` of version 1. */
function messagesOf(body: WireObject): readonly string[] {
  const said = list(body, 'errlist').flatMap((error) => text(error, 'msg', 'message') ?? []);
  return said.length > 0 ? said : texts(body, 'errors');
}

/**
 * Whether an answer is a page for browsers: servers answer with JSON or a text, and what stands in front of them, such as
 * a firewall that limits an address, with a page (docs/decisions/0040-simplefin-source.md#what-servers-do).
 */
export function isWebPage(response: OutgoingResponse): boolean {
  return /^\s*text\/html\b/i.test(response.header('content-type') ?? '');
}

import type { Json } from './json.ts';

/** An answer before it is written, so that faults can still change it. */
export type Reply = {
  readonly status: number;
  readonly body: string;
  /** Instead of `body`, for a vendor that answers with binary data. */
  readonly bytes?: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

export function reply(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, body, headers: { 'content-type': 'application/json', ...headers } };
}

export function json(status: number, value: Json): Reply {
  return reply(status, JSON.stringify(value));
}

export const NO_CONTENT: Reply = { status: 204, body: '', headers: {} };

/** A page for browsers, without scripts or content of other sites. */
export function htmlReply(status: number, body: string): Reply {
  return {
    status,
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
  };
}

/** Redirects the browser; parameters already in the address are kept. */
export function redirectTo(address: string | URL, extra: Readonly<Record<string, string>> = {}): Reply {
  const url = new URL(address);
  for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value);
  return { status: 303, body: '', headers: { location: url.href, 'cache-control': 'no-store' } };
}

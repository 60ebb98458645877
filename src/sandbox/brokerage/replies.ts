import { type Reply, reply } from '../shared/reply.ts';
import { type WireJson, writeJson } from './wire-json.ts';

/** What the vendor answers when all is well. */
export function reply200(value: WireJson): Reply {
  return reply(200, writeJson(value));
}

/** A page for browsers. */
export function html(status: number, body: string): Reply {
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

/** Sends the browser back; parameters already in the address stay. */
export function redirect(address: string, extra: Readonly<Record<string, string>>): Reply {
  const url = new URL(address);
  for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value);
  return { status: 303, body: '', headers: { location: url.href, 'cache-control': 'no-store' } };
}

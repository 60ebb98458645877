import assert from 'node:assert/strict';
import type { NotionSimulator } from '../../sandbox/notion/server.ts';
import { record } from './visitor.ts';

export const NOW = Date.parse('2026-11-20T06:00:30Z');
const REDIRECT = 'https://app.example/return';

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A pair of tokens of someone who allowed access on the page. */
export async function notionToken(
  { url }: NotionSimulator,
  { clientId, clientSecret }: Client,
): Promise<{ readonly access: string; readonly refresh: string }> {
  const page = new URL('/v1/oauth/authorize', url);
  const query = {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    owner: 'user',
    state: 's',
  };
  for (const [name, value] of Object.entries(query)) page.searchParams.set(name, value);
  const html = await (await fetch(page)).text();
  const action = /action="[^"]*(\/oauth\/[^"]+)"/.exec(html)?.[1];
  assert.ok(action, html);
  const body = new URLSearchParams({ outcome: 'approve' });
  const back = await fetch(new URL(action, url), { method: 'POST', body, redirect: 'manual' });
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code');
  const answer = await fetch(new URL('/v1/oauth/token', url), {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/json',
      'notion-version': '2025-09-03',
    },
    body: JSON.stringify({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT }),
  });
  const { access_token: access, refresh_token: refresh } = record(await answer.json());
  return { access: String(access), refresh: String(refresh) };
}

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }>;

/** Asks the simulated API with a token. */
export function asking({ url }: NotionSimulator, token: string): Ask {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'notion-version': '2025-09-03',
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: record(await answer.json()) };
  };
}

import { assertDescribed } from './described-answer.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Bodies are looked into by tests, member by member; what is not there reads as undefined.
  readonly body: Json;
}

export type Json = ReturnType<typeof JSON.parse>;

export type V2Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/**
 * Speaks v2 with a key. A path starts at `/v2`; a body is sent as JSON. Every answer must be as the description says,
 * or the call fails; `check` is for those whose operations are not in it.
 */
export function v2Client(
  url: string,
  key: string,
  check: typeof assertDescribed = assertDescribed,
): V2Client {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${key}`,
        'service-version': '2026-10-01.wattle',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await textOf(response);
    const { status, headers: answered } = response;
    const json = answered.get('content-type')?.startsWith('application/json') !== false;
    const answer = { status, headers: answered, body: text === '' ? null : json ? JSON.parse(text) : text };
    check(method, path, answer);
    return answer;
  };
}

/** All of an answer; of one that goes on, the first piece. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response.text();
  const reader = response.body?.getReader();
  const piece = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(piece?.value);
}

import { Tributary } from '#client';
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
  const client = new Tributary({ url, apiKey: key });
  return async (method, path, body, headers = {}) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const { pathname, search } = new URL(path, url);
    const response = await client.exchange({ method, path: pathname + search, body: text, headers });
    const answered = await textOf(response);
    const { status } = response;
    const json = response.headers.get('content-type')?.startsWith('application/json') !== false;
    const answer = {
      status,
      headers: response.headers,
      body: answered === '' ? null : json ? JSON.parse(answered) : answered,
    };
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

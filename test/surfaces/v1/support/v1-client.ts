import type { TestOwner, TestService } from '../../../support/service.ts';
import type { Json } from '../../../support/v2-client.ts';

export interface V1TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // Bodies are looked into by tests, member by member; what is not there reads as undefined.
  readonly body: Json;
  readonly text: string;
}

export type V1Client = (path: string, headers?: Record<string, string>) => Promise<V1TestAnswer>;

/** Reads v1 with a key; a path begins behind `/v1`. */
export function v1Client({ url }: Pick<TestService, 'url'>, { key }: Pick<TestOwner, 'key'>): V1Client {
  return async (path, headers = {}) => {
    const response = await fetch(`${url}/v1${path}`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
  };
}

import { createHmac } from 'node:crypto';

export const KEY = { clientId: 'RAW-CLIENT', consumerKey: 'raw-consumer-key' } as const;

export interface RawAsk {
  readonly as?: { readonly userId: string; readonly userSecret: string };
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** For the parameter of a path. */
  readonly id?: string;
  readonly timestamp?: number;
  readonly signature?: string;
}

/** Asks the simulator as the vendor's documentation says, without any code of the adapter. */
export class RawBrokerage {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ask(
    method: string,
    path: string,
    { as, query = {}, body, timestamp = Math.floor(Date.now() / 1000), signature }: RawAsk = {},
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
    const search = new URLSearchParams({
      clientId: KEY.clientId,
      timestamp: String(timestamp),
      ...as,
      ...query,
    }).toString();
    const signed = JSON.stringify({ content: body === undefined ? null : sorted(body), path, query: search });
    const response = await fetch(`${this.#url}${path}?${search}`, {
      method,
      headers: {
        signature: signature ?? createHmac('sha256', KEY.consumerKey).update(signed).digest('base64'),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }
}

/** For bodies without objects inside. */
function sorted(body: object): object {
  return Object.fromEntries(Object.entries(body).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

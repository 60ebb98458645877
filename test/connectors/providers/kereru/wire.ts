import type { CustomerAccess } from '../../../../src/connectors/providers/provider-contract.ts';
import { OutgoingFailure } from '../../../../src/platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';

// Answers are looked into member by member; what is not there reads as undefined.
export type Sent = ReturnType<typeof JSON.parse>;

/** What a customer's secret holds, as the adapter writes it. */
export interface Keys {
  readonly user: string | null;
  readonly access: string | null;
  readonly refresh: string | null;
}

const NO_KEYS: Keys = { user: null, access: null, refresh: null };

export const writeKeys = (keys: Keys): string => JSON.stringify(keys);
export const readKeys = (text: string | null): Keys => (text === null ? NO_KEYS : JSON.parse(text));

interface Answer {
  readonly status: number;
  readonly body: Sent;
}

/** Speaks the vendor's wire; renews what the vendor refuses as outdated, once for each call. */
export class Wire {
  readonly #http: OutgoingHttp;
  readonly #origin: string;

  constructor(http: OutgoingHttp, origin: string) {
    this.#http = http;
    this.#origin = origin;
  }

  /** A call with our own credentials. */
  async own(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: object,
    signal: AbortSignal,
  ): Promise<Sent> {
    return settled(await this.#call(method, path, {}, JSON.stringify(body), signal));
  }

  /** A call for a customer. */
  async of(
    { secret }: Pick<CustomerAccess, 'secret'>,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    signal: AbortSignal,
  ): Promise<Sent> {
    const ask = (keys: Keys): Promise<Answer> =>
      this.#call(
        method,
        path,
        {
          authorization: `Bearer ${keys.access ?? ''}`,
          ...(keys.user === null ? {} : { 'x-customer-secret': keys.user }),
        },
        '',
        signal,
      );
    for (let attempt = 0; ; attempt++) {
      const used = secret.value;
      const answer = await ask(readKeys(used));
      if (answer.status !== 401 || used === null || attempt === 2) return settled(answer);
      const outdated = answer.body.error;
      await secret.renew(used, (current, s) => this.#renewed(outdated, readKeys(current), s), signal);
    }
  }

  async #renewed(outdated: string, keys: Keys, signal: AbortSignal): Promise<string> {
    if (outdated === 'secret_renewed') {
      const { secret } = await this.own('POST', '/customer-secret', { secret: keys.user }, signal);
      return writeKeys({ ...keys, user: secret });
    }
    const { access, refresh } = await this.own('POST', '/rotate', { refresh: keys.refresh }, signal);
    return writeKeys({ ...keys, access, refresh });
  }

  async #call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    try {
      const response = await this.#http.request({
        method,
        url: `${this.#origin}${path}`,
        headers,
        ...(body === '' || method === 'GET' ? {} : { body }),
        signal,
        maxResponseBytes: 64 * 1024,
      });
      return { status: response.status, body: response.json() };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutgoingFailure)) throw error;
      throw new UpstreamFailure('connect', error.message);
    }
  }
}

function settled({ status, body }: Answer): Sent {
  if (status < 300) return body;
  const dead = status === 401 || status === 403 || body.error === 'invalid_grant';
  throw new UpstreamFailure(dead ? 'grant_rejected' : 'bad_request', `It answered ${status}.`);
}

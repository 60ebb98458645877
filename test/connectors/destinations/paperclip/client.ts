import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { DestinationAccess } from '../../../../src/connectors/destinations/destination-contract.ts';
import { DestinationFailure } from '../../../../src/connectors/destinations/destination-failure.ts';
import { OutgoingFailure } from '../../../../src/platform/outgoing-failure.ts';
import type { OutgoingHttp } from '../../../../src/platform/outgoing-http.ts';
import type { OutgoingResponse } from '../../../../src/platform/outgoing-response.ts';
import { UpstreamFailure } from '../../../../src/vocabulary/upstream-failures.ts';

export const Tokens = Type.Object({ access: Type.String(), refresh: Type.String() });

/** Paperclip's wire, with a grant that is renewed when its access token is over. */
export class PaperclipClient {
  readonly #http: OutgoingHttp;
  readonly #origin: string;

  constructor(http: OutgoingHttp, origin: string) {
    this.#http = http;
    this.#origin = origin;
  }

  /** Raises DestinationFailure. A call that changes something and was not answered may have taken effect. */
  async call<T extends TSchema>(
    access: DestinationAccess,
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    { body, expect, signal }: { readonly body?: unknown; readonly expect: T; readonly signal: AbortSignal },
  ) {
    const send = async (grant: string): Promise<OutgoingResponse> => {
      const { access: token } = Value.Parse(Tokens, JSON.parse(grant));
      return this.#sent({
        method,
        path,
        headers: { authorization: `Bearer ${token}` },
        body: body === undefined ? '' : JSON.stringify(body),
        signal,
      });
    };
    const grant = await access.current();
    let answer = await send(grant);
    if (answer.status === 401) {
      answer = await send(await access.renew(grant, (spent, within) => this.#refreshed(spent, within)));
    }
    if (!answer.ok) throw refusal(answer.status);
    return Value.Parse(expect, answer.json());
  }

  /** The grant for a code or a refresh token; null when it is not accepted. */
  async token(form: Record<string, string>, signal: AbortSignal): Promise<string | null> {
    const body = new URLSearchParams(form).toString();
    const answer = await this.#sent({ method: 'POST', path: '/token', headers: {}, body, signal });
    if (answer.status === 400) return null;
    return JSON.stringify(Value.Parse(Tokens, answer.json()));
  }

  /** A grant that is not known any more is ended. Raises UpstreamFailure. */
  async revoke(grant: string, signal: AbortSignal): Promise<void> {
    const { refresh } = Value.Parse(Tokens, JSON.parse(grant));
    const body = new URLSearchParams({ token: refresh }).toString();
    try {
      const { status } = await this.#sent({ method: 'POST', path: '/revoke', headers: {}, body, signal });
      if (status !== 200 && status !== 400)
        throw new UpstreamFailure('server_error', `Paperclip answered ${status}.`);
    } catch (error) {
      if (!(error instanceof DestinationFailure)) throw error;
      throw new UpstreamFailure('connect', error.message, { cause: error });
    }
  }

  async #refreshed(spent: string, signal: AbortSignal): Promise<string> {
    const { refresh } = Value.Parse(Tokens, JSON.parse(spent));
    const renewed = await this.token({ refresh_token: refresh }, signal);
    if (renewed === null) throw refusal(401);
    return renewed;
  }

  async #sent(request: {
    readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly signal: AbortSignal;
  }): Promise<OutgoingResponse> {
    const { path, ...rest } = request;
    try {
      return await this.#http.request({ ...rest, url: `${this.#origin}${path}`, maxResponseBytes: 8 << 20 });
    } catch (error) {
      rest.signal.throwIfAborted();
      if (!(error instanceof OutgoingFailure)) throw error;
      const outcome = error.sent ? 'unknown' : 'refused';
      throw new DestinationFailure('run_failed', error.message, { outcome, retryable: true, cause: error });
    }
  }
}

function refusal(status: number): DestinationFailure {
  const code =
    status === 401
      ? 'destination_auth_failed'
      : status === 404
        ? 'destination_resource_missing'
        : 'run_failed';
  const known = { outcome: status >= 500 ? 'unknown' : 'refused', retryable: status >= 500 } as const;
  return new DestinationFailure(code, `Paperclip answered ${status}.`, known);
}

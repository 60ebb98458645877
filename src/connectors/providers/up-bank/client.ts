import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { idText, inner, isWireObject, malformed, parsePlain, rowsOf, type WireObject } from '../kit/json.ts';
import { cursorOfNextLink, pagesByCursor } from '../kit/paging.ts';
import { type CallKind, ONE_OBJECT, VendorCalls } from '../kit/vendor-calls.ts';
import { UP_BANK_ERRORS } from './failures.ts';

/** How Up is reached. */
export interface UpBankOptions {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
  /** `https://api.up.com.au/api/v1`, or the simulator's address. */
  readonly baseUrl: string;
  /** The person's own access token. */
  readonly token: string;
  /** The key that signs notifications; null if no webhook is registered. */
  readonly webhookSecret: string | null;
}

export interface ListRead {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly kind: Pick<CallKind, 'account' | 'answer'>;
}

/** The most rows that Up puts on a page. */
const PAGE_SIZE = '100';

/** Up's HTTP API: JSON:API documents with a bearer token. Raises UpstreamFailure, or `signal.reason` once aborted. */
export class UpBankClient {
  readonly #calls: VendorCalls;
  readonly #limits: Limits;
  readonly #authorization: string;
  #holder: string | null = null;

  constructor({ token, ...options }: UpBankOptions) {
    this.#calls = new VendorCalls({ ...options, errors: UP_BANK_ERRORS });
    this.#limits = options.limits;
    this.#authorization = `Bearer ${token}`;
  }

  get limits(): Limits {
    return this.#limits;
  }

  /** One document. Retried as the failure table says. */
  async get(
    path: string,
    signal: AbortSignal,
    query: Readonly<Record<string, string>> = {},
    kind: CallKind = ONE_OBJECT,
  ): Promise<WireObject> {
    const headers = { authorization: this.#authorization, accept: 'application/json' };
    return this.#calls.again(signal, async () => {
      const response = await this.#calls.send({ method: 'GET', path, query, headers, kind, signal });
      // Amounts are texts, together with integers that are safe for any realistic amount.
      const document = parsePlain(this.#calls.bodyOf(response, kind));
      if (!isWireObject(document)) throw malformed('it is no document');
      return document;
    });
  }

  /** Up's id of the person whose token this is; checks that the token works. */
  async ping(signal: AbortSignal): Promise<string> {
    const meta = inner(await this.get('/util/ping', signal), 'meta');
    const id = meta === null ? null : idText(meta, 'id');
    if (id === null) throw malformed('it does not say whose token this is');
    this.#holder = id;
    return id;
  }

  /** The same, cached: a token belongs to one person for as long as it works. */
  async holder(signal: AbortSignal): Promise<string> {
    return this.#holder ?? this.ping(signal);
  }

  /** The pages of a list. */
  pages({ path, query, kind }: ListRead, signal: AbortSignal): AsyncGenerator<readonly WireObject[]> {
    return pagesByCursor(async (cursor) => {
      const asked: Record<string, string> = { ...query, 'page[size]': PAGE_SIZE };
      if (cursor !== null) asked['page[after]'] = cursor;
      const document = await this.get(path, signal, asked, { ...kind, cursor: cursor !== null });
      return { rows: rowsOf(document, 'data'), next: cursorOfNextLink(document, 'page[after]') };
    }, this.#limits);
  }
}

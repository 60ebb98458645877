import type { Clock } from '../../../platform/clock.ts';
import type { OutgoingHttp } from '../../../platform/outgoing-http.ts';
import { QuotaSpent, type Quotas } from '../../../platform/quotas.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { isWireObject, malformed, parseExact, parsePlain, rowsOf, type WireObject } from '../kit/json.ts';
import { type CallKind, ErrorAnswer, ONE_OBJECT, VendorCalls } from '../kit/vendor-calls.ts';
import { type Access, type AddressRules, accessOf, claimAddress, isBelow } from './addresses.ts';
import { isWebPage, SIMPLEFIN_ERRORS } from './failures.ts';
import { type Held, SharedAnswers } from './shared-answers.ts';

/** How servers are reached. */
export interface SimplefinOptions {
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly quotas: Quotas;
  /** `https://beta-bridge.simplefin.org/simplefin`, or the simulator's address: called without the address guard. */
  readonly bridgeUrl: string;
  /** The page on which people create a setup token. */
  readonly createUrl: string;
  /** Addresses of this service, at whose own bridge nothing may be claimed. */
  readonly ownUrls: readonly string[];
  /** Requests a day for one access; null for a server that does not ration them. */
  readonly dailyRequests: number | null;
}

/** Seconds since 1970: from the first, and before the second. */
export interface Window {
  readonly from: number;
  readonly until: number;
}

const DAY_MS = 86_400_000;
/** How long an answer is shared where requests are rationed: enough for a sync of every account. */
const SHARED_MS = 300_000;
const SETS: CallKind = { cursor: false, account: false, answer: 'page' };

/** The protocol of SimpleFIN, versions 1 and 2. Raises UpstreamFailure, or `signal.reason` once aborted. */
export class SimplefinClient {
  readonly rules: AddressRules;
  readonly #options: SimplefinOptions;
  readonly #shared: SharedAnswers;

  constructor(options: SimplefinOptions) {
    this.#options = options;
    this.rules = {
      bridge: new URL(options.bridgeUrl),
      ownHosts: new Set(options.ownUrls.map((url) => new URL(url).host)),
    };
    this.#shared = new SharedAnswers(options.clock, options.dailyRequests === null ? 0 : SHARED_MS);
  }

  get limits(): Limits {
    return this.#options.limits;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  /** The access in a stored secret. Raises UpstreamFailure. */
  access(secret: string | null): Access {
    const access = secret === null ? 'unreadable' : accessOf(secret, this.rules);
    if (typeof access === 'string')
      throw new UpstreamFailure('grant_rejected', 'The stored access URL cannot be used.');
    return access;
  }

  /**
   * Claims a setup token: its access URL, null if it was refused (used before, or unknown). Sent once, because a server
   * gives the access URL only once.
   */
  async claim(token: string, signal: AbortSignal): Promise<string | null> {
    const { url } = claimAddress(token, this.rules);
    if (url === null) return null;
    const calls = this.#calls(url.href, url.host);
    const response = await calls.send({
      method: 'POST',
      path: '',
      headers: { accept: 'text/plain' },
      kind: ONE_OBJECT,
      signal,
    });
    const { status } = response;
    if (!isWebPage(response) && (status === 403 || status === 404 || status === 410)) return null;
    return calls.bodyOf(response, ONE_OBJECT).trim();
  }

  /** All accounts, with the rows posted in the window. One answer serves every account of the access. */
  accountSet(
    access: Access,
    { from, until }: Window,
    pending: boolean,
    signal: AbortSignal,
  ): Promise<WireObject> {
    const key = `${access.digest} ${from} ${until} ${pending}`;
    return this.#shared.get(key, access.digest, signal, (within) =>
      this.#accountSet(
        access,
        {
          version: '2',
          'start-date': String(from),
          'end-date': String(until),
          ...(pending ? { pending: '1' } : {}),
        },
        within,
      ),
    );
  }

  async #accountSet(
    access: Access,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Held> {
    const calls = this.#calls(access.root, access.digest);
    const headers = { authorization: access.authorization, accept: 'application/json' };
    try {
      return await calls.again(signal, async () => {
        await this.#count(access, signal);
        const response = await calls.send({
          method: 'GET',
          path: '/accounts',
          query,
          headers,
          kind: SETS,
          signal,
        });
        const body = calls.bodyOf(response, SETS);
        return { set: this.#parsed(body), bytes: body.length };
      });
    } catch (error) {
      if (error instanceof UpstreamFailure && error.situation === 'grant_rejected')
        this.#shared.forget(access.digest);
      throw this.#atOwnServer(access.root) ? error : ofOneServer(error);
    }
  }

  #parsed(body: string): WireObject {
    const plain = parsePlain(body);
    if (!isWireObject(plain)) throw malformed('it is not an account set');
    const accounts = rowsOf(plain, 'accounts');
    if (accounts.length > this.limits.list_rows) throw malformed('it holds too many accounts');
    // Amounts are texts in the protocol; a number has to be read from its source.
    if (!accounts.some(hasNumbers)) return plain;
    const exact = parseExact(body);
    return isWireObject(exact) ? exact : plain;
  }

  async #count({ digest }: Access, signal: AbortSignal): Promise<void> {
    const { quotas, dailyRequests } = this.#options;
    if (dailyRequests === null) return;
    const quota = { name: 'simplefin-access', amount: dailyRequests, windowMs: DAY_MS };
    try {
      await quotas.take([{ quota, key: digest }], 0, signal);
    } catch (error) {
      if (!(error instanceof QuotaSpent)) throw error;
      throw new UpstreamFailure(
        'rate_limited',
        `The ${dailyRequests} requests that SimpleFIN allows in a day are used up.`,
        { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000), cause: error },
      );
    }
  }

  #atOwnServer(address: string): boolean {
    return isBelow(new URL(address), this.rules.bridge);
  }

  /** @param owner whose sockets and look-ups of names a server that the operator did not configure uses */
  #calls(baseUrl: string, owner: string): VendorCalls {
    const { http, clock, limits } = this.#options;
    return new VendorCalls({
      http,
      clock,
      limits,
      baseUrl,
      errors: SIMPLEFIN_ERRORS,
      ...(this.#atOwnServer(baseUrl) ? {} : { chosenBy: `simplefin ${owner}` }),
    });
  }
}

function hasNumbers(account: WireObject): boolean {
  if (typeof account.balance === 'number' || typeof account['available-balance'] === 'number') return true;
  const { transactions } = account;
  return (
    Array.isArray(transactions) &&
    transactions.some((row: unknown) => isWireObject(row) && typeof row.amount === 'number')
  );
}

/**
 * A failure of a server that one person chose. It must not open the breaker of the provider, which is for everyone: a
 * failure to connect, or to answer, says nothing about other servers.
 */
function ofOneServer(error: unknown): unknown {
  if (!(error instanceof UpstreamFailure) || error instanceof ErrorAnswer || error.situation !== 'connect')
    return error;
  return new UpstreamFailure('temporarily_unavailable', error.message, { cause: error });
}

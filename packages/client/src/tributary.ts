import { Calls } from './calls.ts';
import { Resources } from './generated/resources.ts';
import { type ClientOptions, type Exchange, Requests } from './requests.ts';

/**
 * A client of one Tributary service. Each operation of the API is a method, in the group of the first part of its path
 * and named after its operationId without the name of the group: `list_transactions` is `transactions.list()`.
 *
 * A method raises ApiError, by its class what kind, and UnreachableError. What may succeed a moment later is tried
 * again; a write has an idempotency key, so it is done once.
 */
export class Tributary extends Resources {
  readonly #requests: Requests;

  constructor(options: ClientOptions) {
    const requests = new Requests(options);
    super(new Calls(requests));
    this.#requests = requests;
  }

  /**
   * The JSON answer to a request that no method is for, such as the description at `/v2/openapi.json` or an operation of
   * a later release. Raises and tries again as the methods do.
   */
  async request<T>(exchange: Exchange): Promise<T> {
    return (await this.#requests.answer<T>(exchange)).body;
  }

  /** Sends one request as it is, once, and answers the response whatever its status. Raises UnreachableError. */
  exchange(exchange: Exchange): Promise<Response> {
    return this.#requests.attempt(exchange);
  }
}

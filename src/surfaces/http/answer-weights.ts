import type { FastifyReply } from 'fastify';
import type { OwnerId } from '../../vocabulary/ids.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';

/** Smaller answers are not worth counting: as many of them as the rate limits allow are less than one large one. */
const LARGE = 65_536;
const RETRY_SECONDS = 1;

/**
 * What is on its way to each account record and waits in this process until its callers have read it. Callers who ask
 * for large answers and do not read them would fill the memory that everybody shares.
 */
export class AnswerWeights {
  readonly #most: number;
  readonly #waiting = new Map<OwnerId, number>();

  /** @param most characters for one account record; a single answer may be larger */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts an answer until it is out or its connection breaks. Raises `rate_limit_exceeded` where it is too much. */
  hold(owner: OwnerId, text: string, reply: FastifyReply): void {
    if (text.length < LARGE) return;
    const waiting = this.#waiting.get(owner) ?? 0;
    if (waiting > 0 && waiting + text.length > this.#most) {
      throw new ServiceError('rate_limit_exceeded', {
        message: 'Answers to earlier requests of this account are still being sent; read them first.',
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    if (reply.raw.closed) return;
    this.#waiting.set(owner, waiting + text.length);
    reply.raw.once('close', () => this.#free(owner, text.length));
  }

  #free(owner: OwnerId, weight: number): void {
    const left = (this.#waiting.get(owner) ?? 0) - weight;
    if (left > 0) this.#waiting.set(owner, left);
    else this.#waiting.delete(owner);
  }
}

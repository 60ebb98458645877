import { request } from 'undici';
import type { Clock } from '../../src/platform/clock.ts';

/** A clock that does not wait: a sleep moves it, and a simulator's in another process, to where the sleep would end. */
export class RunningAhead implements Clock {
  readonly #control: string;
  #aheadMs = 0;

  /** @param control address of `destination-simulator.ts` */
  constructor(control: string) {
    this.#control = control;
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const due = this.now() + ms;
    this.#aheadMs = Math.max(this.#aheadMs, due - Date.now());
    const answer = await request(`${this.#control}/${this.#aheadMs}`, { method: 'POST' });
    await answer.body.dump();
    signal?.throwIfAborted();
  }
}

import type { FastifyRequest } from 'fastify';
import type { Authentication } from '../../features/access/authentication.ts';
import type { Caller } from '../../features/access/caller.ts';
import { requirePermitted } from '../../operations/admit.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Notices } from '../../storage/notices.ts';
import { callerOf } from '../http/caller-context.ts';

/** How often callers are authenticated again, for what no notice reports: an expired key, or a missed notice. */
const LOOK_MS = 15_000;

interface LiveAnswer {
  readonly request: FastifyRequest;
  readonly operation: Operation;
  readonly caller: Caller;
  readonly ending: AbortController;
}

/** The continuing answers of this process, each for as long as its caller would be admitted again. */
export class LiveAnswers {
  readonly #authentication: Pick<Authentication, 'again'>;
  readonly #clock: Clock;
  readonly #open = new Set<LiveAnswer>();
  #stopping = false;

  constructor(deps: {
    readonly authentication: Pick<Authentication, 'again'>;
    readonly clock: Clock;
    readonly notices: Pick<Notices, 'onChange' | 'onLost'>;
  }) {
    this.#authentication = deps.authentication;
    this.#clock = deps.clock;
    deps.notices.onChange(({ id }) => {
      this.#look(({ caller }) => caller.id === id || caller.accountRecord.id === id);
    });
    deps.notices.onLost(() => this.#look(() => true));
  }

  /** Answers the request until the signal that `write` is given aborts; `gone`: the caller has left. */
  async during(
    request: FastifyRequest,
    operation: Operation,
    gone: AbortSignal,
    write: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const answer = { request, operation, caller: callerOf(request), ending: new AbortController() };
    if (this.#stopping) answer.ending.abort();
    const signal = AbortSignal.any([gone, answer.ending.signal]);
    this.#open.add(answer);
    void this.#watch(answer, signal);
    try {
      await write(signal);
    } finally {
      this.#open.delete(answer);
      answer.ending.abort();
    }
  }

  /** Ends all of them, and any that begin later. */
  stop(): void {
    this.#stopping = true;
    for (const { ending } of this.#open) ending.abort();
  }

  async #watch(answer: LiveAnswer, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(LOOK_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.#lookAt(answer);
    }
  }

  #look(at: (answer: LiveAnswer) => boolean): void {
    for (const answer of this.#open) if (at(answer)) void this.#lookAt(answer);
  }

  async #lookAt({ request, operation, caller, ending }: LiveAnswer): Promise<void> {
    try {
      const found = await this.#authentication.again(request.headers, request.ip);
      if (found === null || found.id !== caller.id) ending.abort();
      else requirePermitted(operation, found, this.#clock);
    } catch {
      // Refused, or unknown for now: a caller that is still allowed reconnects.
      ending.abort();
    }
  }
}

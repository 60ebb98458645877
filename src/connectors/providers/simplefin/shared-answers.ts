import type { Clock } from '../../../platform/clock.ts';
import { JoinedReads } from '../../../platform/joined-reads.ts';
import type { WireObject } from '../kit/json.ts';

/** An answer, and how large it was as text. */
export interface Held {
  readonly set: WireObject;
  readonly bytes: number;
}

interface Kept extends Held {
  readonly owner: string;
  readonly until: number;
}

/** How much is kept in all, and of one access. An answer above the second is not kept. */
const MOST_BYTES = 16_777_216;
const MOST_BYTES_OF_ONE = 4_194_304;

/**
 * Answers that hold every account of an access, for the reads of the others: a server allows few requests a day, so
 * reads at the same time, and within some minutes, share one. Nothing is kept where requests are not rationed.
 */
export class SharedAnswers {
  readonly #clock: Clock;
  readonly #ms: number;
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();
  readonly #joined = new JoinedReads<Held>();

  /** @param ms how long an answer is kept; 0 for not at all */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** The bytes kept now. */
  get bytes(): number {
    return sum(this.#kept.values());
  }

  /**
   * The answer under the key, from `ask` unless one is kept or on its way. A read that leaves does not end a request
   * that others wait for, which the server has counted. Raises what `ask` raises, or `signal.reason` once aborted.
   */
  async get(
    key: string,
    owner: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Held>,
  ): Promise<WireObject> {
    if (this.#ms === 0) return (await ask(signal)).set;
    signal.throwIfAborted();
    const kept = this.#kept.get(key);
    const left = (kept?.until ?? 0) - this.#clock.now();
    // A clock that was set back must not keep an answer for longer.
    if (kept !== undefined && left > 0 && left <= this.#ms) return kept.set;
    const { set } = await this.#joined.run(key, signal, async (within) => {
      const held = await ask(within);
      this.#keep(key, { ...held, owner, until: this.#clock.now() + this.#ms });
      return held;
    });
    return set;
  }

  forget(owner: string): void {
    for (const [key, kept] of this.#kept) if (kept.owner === owner) this.#kept.delete(key);
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    const now = this.#clock.now();
    for (const [old, { until }] of this.#kept) if (until <= now) this.#kept.delete(old);
    if (kept.bytes > MOST_BYTES_OF_ONE) return;
    const own = () => [...this.#kept].filter(([, { owner }]) => owner === kept.owner);
    this.#make(kept.bytes, MOST_BYTES_OF_ONE, own);
    this.#make(kept.bytes, MOST_BYTES, () => [...this.#kept]);
    this.#kept.set(key, kept);
  }

  #make(room: number, most: number, of: () => readonly (readonly [string, Kept])[]): void {
    for (const [oldest] of of()) {
      if (sum(of().map(([, kept]) => kept)) + room <= most) return;
      this.#kept.delete(oldest);
    }
  }
}

function sum(kept: Iterable<Kept>): number {
  let bytes = 0;
  for (const one of kept) bytes += one.bytes;
  return bytes;
}

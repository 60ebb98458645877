import type { Agent } from 'undici';

/** An agent that nobody has used for so long holds no socket worth keeping. */
const IDLE_MS = 60_000;

interface Held {
  readonly agent: Agent;
  busy: number;
  usedAt: number;
}

/**
 * An agent for each owner, so that no owner's sockets or names are waited for by another. Those that nobody uses are
 * closed, so there are as many as owners within the last minute.
 */
export class AgentsByOwner {
  readonly #make: (owner: string) => Agent;
  readonly #idleMs: number;
  readonly #held = new Map<string, Held>();
  #sweptAt = performance.now();

  constructor(make: (owner: string) => Agent, idleMs: number = IDLE_MS) {
    this.#make = make;
    this.#idleMs = idleMs;
  }

  /** How many there are. */
  get size(): number {
    return this.#held.size;
  }

  /** The agent of an owner; `done` is to be called once when its call has ended. */
  use(owner: string): { readonly agent: Agent; readonly done: () => void } {
    this.#sweep();
    const held = this.#held.get(owner) ?? { agent: this.#make(owner), busy: 0, usedAt: 0 };
    this.#held.set(owner, held);
    held.busy += 1;
    return {
      agent: held.agent,
      done: () => {
        held.busy -= 1;
        held.usedAt = performance.now();
      },
    };
  }

  /** Waits for the calls in flight and closes all sockets. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ agent }) => agent.close()));
    this.#held.clear();
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAt < this.#idleMs) return;
    this.#sweptAt = now;
    for (const [owner, { agent, busy, usedAt }] of this.#held) {
      if (busy > 0 || now - usedAt < this.#idleMs) continue;
      this.#held.delete(owner);
      agent.close().catch(() => undefined);
    }
  }
}

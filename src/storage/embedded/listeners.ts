type Listener = (payload: string) => void;

/** Who listens to which channel of the embedded database. */
export class Listeners {
  readonly #byChannel = new Map<string, Set<Listener>>();

  get channels(): readonly string[] {
    return [...this.#byChannel.keys()];
  }

  /** Whether it is the first of the channel. */
  add(channel: string, listener: Listener): boolean {
    const listeners = this.#byChannel.get(channel) ?? new Set();
    this.#byChannel.set(channel, listeners.add(listener));
    return listeners.size === 1;
  }

  /** Whether it was the last of the channel. */
  remove(channel: string, listener: Listener): boolean {
    const listeners = this.#byChannel.get(channel);
    if (listeners === undefined || !listeners.delete(listener) || listeners.size > 0) return false;
    this.#byChannel.delete(channel);
    return true;
  }

  notify(channel: string, payload: string): void {
    for (const listener of this.#byChannel.get(channel) ?? []) listener(payload);
  }
}

import assert from 'node:assert/strict';

export interface ServerSent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** A client of the stream of events that reads when it is asked to. */
export class SseClient {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #leaving: AbortController;
  readonly #decoder = new TextDecoder();
  #text = '';

  private constructor(response: Response, leaving: AbortController) {
    assert.ok(response.body);
    this.response = response;
    this.#reader = response.body.getReader();
    this.#leaving = leaving;
  }

  static async open(
    url: string,
    key: string,
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ): Promise<SseClient> {
    const leaving = new AbortController();
    const response = await fetch(new URL(`/v2/events/stream${query}`, url), {
      signal: leaving.signal,
      headers: { authorization: `Bearer ${key}`, 'service-version': '2026-10-01.wattle', ...headers },
    });
    return new SseClient(response, leaving);
  }

  /** The next events, so many; fewer where the stream ends in order. Raises when it is aborted. */
  async events(count: number): Promise<ServerSent[]> {
    const found: ServerSent[] = [];
    while (found.length < count) {
      const block = await this.#block();
      if (block === null) return found;
      const [id = '', event = '', data = ''] = ['id', 'event', 'data'].map((name) => fieldOf(block, name));
      if (data !== '') found.push({ id, event, data });
    }
    return found;
  }

  /** Resolves when the stream has ended in order. Raises when it is aborted. */
  async end(): Promise<void> {
    while ((await this.#block()) !== null);
  }

  leave(): void {
    this.#leaving.abort();
  }

  async #block(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return block;
      }
      const { value, done } = await this.#reader.read();
      if (done) return null;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }
}

function fieldOf(block: string, name: string): string {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2) ?? '';
}

import { Agent, request } from 'undici';
import { CURRENT_RELEASE } from '../../vocabulary/service-version.ts';
import { CommandFailure } from '../failure.ts';

const DEADLINE_MS = 60_000;

/** What v2 answered. */
export type V2Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
};

type Headers = Readonly<Record<string, string>>;

/** Calls v2 as any caller does: over HTTP, with an API key. */
export class V2Client {
  readonly #url: string;
  readonly #secret: string;
  readonly #agent = new Agent();

  constructor(url: string, secret: string) {
    this.#url = url;
    this.#secret = secret;
  }

  /** @throws CommandFailure with v2's own message for anything but a success */
  async get(path: string): Promise<Resource> {
    return this.#call('GET', path, null, {});
  }

  /** @throws CommandFailure */
  async post(path: string, body: unknown, headers: Headers = {}): Promise<Resource> {
    return this.#call('POST', path, body, headers);
  }

  /** Every item of a list, page by page. */
  async *list(path: string): AsyncGenerator<Resource> {
    let next: string | null = path;
    while (next !== null) {
      const page: Resource = await this.get(next);
      yield* page.items('data');
      const following: string | null = page.textOrNull('next_page_url');
      next = following === null ? null : following.slice(new URL(following).origin.length);
    }
  }

  /** The plain answer, whatever its status. */
  async exchange(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body: unknown,
    headers: Headers = {},
  ): Promise<V2Answer> {
    const answer = await request(`${this.#url}${path}`, {
      method,
      dispatcher: this.#agent,
      body: body === null ? null : JSON.stringify(body),
      headers: {
        authorization: `Bearer ${this.#secret}`,
        'service-version': CURRENT_RELEASE,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async #call(method: 'GET' | 'POST', path: string, body: unknown, headers: Headers): Promise<Resource> {
    const answer = await this.exchange(method, path, body, headers);
    if (answer.status < 300) return new Resource(`${method} ${path}`, answer.body);
    const error = isRecord(answer.body) && isRecord(answer.body.error) ? answer.body.error : {};
    throw new CommandFailure(
      `${method} ${path} answered ${answer.status} ${String(error.code ?? '')}: ${String(error.message ?? '')}`,
    );
  }
}

/** One resource of v2; a member of another kind than asked for is a failure that names it. */
export class Resource {
  readonly #source: string;
  readonly #value: unknown;

  constructor(source: string, value: unknown) {
    this.#source = source;
    this.#value = value;
  }

  text(name: string): string {
    const value = this.#member(name);
    return typeof value === 'string' ? value : this.#refuse(name);
  }

  textOrNull(name: string): string | null {
    return this.#member(name) === null ? null : this.text(name);
  }

  number(name: string): number {
    const value = this.#member(name);
    return typeof value === 'number' ? value : this.#refuse(name);
  }

  part(name: string): Resource {
    const value = this.#member(name);
    return isRecord(value) ? new Resource(`${this.#source} ${name}`, value) : this.#refuse(name);
  }

  partOrNull(name: string): Resource | null {
    return this.#member(name) === null ? null : this.part(name);
  }

  items(name: string): readonly Resource[] {
    const value = this.#member(name);
    if (!Array.isArray(value)) return this.#refuse(name);
    return value.map((item: unknown) => new Resource(`${this.#source} ${name}`, item));
  }

  #member(name: string): unknown {
    return isRecord(this.#value) ? this.#value[name] : undefined;
  }

  #refuse(name: string): never {
    throw new CommandFailure(`${this.#source} answered without a usable "${name}".`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

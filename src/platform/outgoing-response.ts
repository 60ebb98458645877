import { OutgoingFailure } from './outgoing-failure.ts';

/** Response headers by lower-case name. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A complete answer, of any status. */
export class OutgoingResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** The whole body; for `expect: 'discard'` at most the cap. */
  readonly body: Buffer;
  readonly #origin: string;

  constructor(origin: string, status: number, headers: ResponseHeaders, body: Buffer) {
    this.#origin = origin;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** Whether the status is 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** One header; of a repeated one, the first. */
  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The body as UTF-8; malformed bytes become U+FFFD. */
  text(): string {
    return this.body.toString('utf8');
  }

  /** The body parsed as JSON. @throws OutgoingFailure of kind `protocol` when it is not JSON */
  json(): unknown {
    try {
      return JSON.parse(this.text());
    } catch {
      throw new OutgoingFailure(
        'protocol',
        `${this.#origin} answered ${this.status} with a body that is not JSON.`,
        true,
      );
    }
  }
}

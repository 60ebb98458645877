import type { Dispatcher } from 'undici';
import { failureFrom, failureOf, OutgoingFailure } from './outgoing-failure.ts';
import { OutgoingResponse, type ResponseHeaders } from './outgoing-response.ts';

type ExchangeOptions = {
  readonly origin: string;
  readonly deadlineMs: number;
  readonly discard: boolean;
  readonly maxBytes: number;
  readonly maxErrorBytes: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (response: OutgoingResponse) => void;
  readonly reject: (failure: OutgoingFailure) => void;
};

/**
 * One request and its answer, as undici's dispatch handler: chunks are collected as they come, without the
 * stream that undici's own `request` builds for each call. Settles exactly once, at the latest at the deadline,
 * also while the request still waits for a socket; it is then never sent.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #status = 0;
  #headers: ResponseHeaders = {};
  #chunks: Buffer[] = [];
  #bytes = 0;
  #maxBytes: number;
  /** Whether what exceeds the cap is dropped rather than a failure. */
  #cut: boolean;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#maxBytes = options.maxBytes;
    this.#cut = options.discard;
    this.#onAbort = () => this.#failAs('aborted');
    this.#timer = setTimeout(() => this.#failAs('timeout'), options.deadlineMs);
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Undici is about to write the request: from here on the peer may have seen it. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(failureOf('aborted', this.#options.origin, false));
  }

  onRequestUpgrade(): void {
    this.#failAs('protocol');
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity' && !this.#options.discard) {
      const message = `${this.#options.origin} sent a compressed answer, which was not requested.`;
      this.fail(new OutgoingFailure('protocol', message, true));
      return;
    }
    const { maxErrorBytes } = this.#options;
    if (status >= 400 && maxErrorBytes !== undefined) {
      this.#maxBytes = maxErrorBytes;
      this.#cut = true;
    }
    if (!this.#cut && Number(headers['content-length']) > this.#maxBytes) this.#failAs('too_large');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    const room = this.#maxBytes - this.#bytes;
    if (chunk.length <= room) {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
    } else if (this.#cut) {
      this.#chunks.push(chunk.subarray(0, room));
      this.#bytes += room;
      this.#succeed();
      this.#stop();
    } else {
      this.#failAs('too_large');
    }
  }

  onResponseEnd(): void {
    this.#succeed();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(failureFrom(error, this.#options.origin, this.#controller !== null));
  }

  /** Ends the call with a failure, unless it has ended. */
  fail(failure: OutgoingFailure): void {
    if (!this.#settle()) return;
    this.#chunks = [];
    this.#options.reject(failure);
    this.#stop();
  }

  #failAs(kind: OutgoingFailure['kind']): void {
    this.fail(failureOf(kind, this.#options.origin, this.#controller !== null));
  }

  #succeed(): void {
    if (!this.#settle()) return;
    const [first] = this.#chunks;
    const body =
      first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.#options.resolve(new OutgoingResponse(this.#options.origin, this.#status, this.#headers, body));
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }

  /** Drops the socket: what is left of the answer is not wanted. */
  #stop(): void {
    if (this.#controller !== null && !this.#controller.aborted) {
      this.#controller.abort(failureOf('aborted', this.#options.origin, true));
    }
  }
}

import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

export interface StreamedBody {
  /** The first piece, produced before the response begins, so that a failure can still be reported as an error. */
  readonly first: IteratorResult<string>;
  readonly rest: AsyncIterator<string>;
  /** The connection is destroyed if the caller reads nothing for this long. */
  readonly stallMs: number;
  /** Sent after the last piece; HTTP/1.0 has none. */
  readonly trailer?: { readonly name: string; readonly value: () => string } | undefined;
}

/**
 * Writes a response piece by piece, each once the client has read what was written before. If it cannot be finished,
 * the connection is destroyed without the end that a complete response has. Resolves with null when the response has
 * been sent, or else with the error. When the connection closes, it is up to the code that calls this to abort what
 * `rest` waits for.
 */
export async function sendStreamed(
  reply: FastifyReply,
  { first, rest, stallMs, trailer }: StreamedBody,
): Promise<unknown> {
  const { raw } = reply;
  begin(reply);
  // From here on, `stallMs` and the deadline of the work limit how long the connection may be silent.
  const usual = raw.socket?.timeout ?? 0;
  const { socket } = raw;
  socket?.setTimeout(0);
  raw.once('close', () => socket?.setTimeout(usual));
  let sent: Promise<void> = Promise.resolve();
  try {
    for (let piece = first; piece.done !== true; piece = await rest.next()) {
      await within(raw, stallMs, sent);
      const written = Promise.withResolvers<void>();
      raw.write(piece.value, () => written.resolve());
      sent = written.promise;
    }
    if (trailer !== undefined) raw.addTrailers({ [trailer.name]: trailer.value() });
    raw.end();
    return null;
  } catch (error) {
    // What was written is delivered, because it shows how far the response got.
    await within(raw, stallMs, sent).catch(() => undefined);
    breakOff(reply);
    return error;
  } finally {
    await rest.return?.().catch(() => undefined);
  }
}

/** Sends only the headers of a streamed response, for `HEAD`. */
export async function sendHead(reply: FastifyReply, rest: AsyncIterator<string>): Promise<void> {
  await rest.return?.();
  begin(reply);
  reply.raw.end();
}

function begin(reply: FastifyReply): void {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(reply.statusCode);
}

/** In HTTP/1.0, a response ends with its connection, so the connection of an incomplete one must not end cleanly. */
function breakOff({ raw, request }: FastifyReply): void {
  if (request.raw.httpVersion === '1.0') raw.socket?.resetAndDestroy();
  raw.destroy();
}

/** Waits until the client has read what was written. Raises if it disconnects, or reads nothing for `stallMs`. */
async function within(raw: ServerResponse, stallMs: number, sent: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<never>();
  const left = () => over.reject(new Error('the caller left'));
  const timer = setTimeout(() => over.reject(new Error('the caller takes nothing')), stallMs);
  raw.once('close', left);
  if (raw.destroyed) left();
  try {
    await Promise.race([sent, over.promise]);
  } finally {
    clearTimeout(timer);
    raw.off('close', left);
  }
}

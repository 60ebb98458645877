import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

export interface StreamedBody {
  /** The piece that is known, so that whatever kept it from being made was answered as an error. */
  readonly first: IteratorResult<string>;
  readonly rest: AsyncIterator<string>;
  /** After so many milliseconds in which the caller takes nothing, the connection is destroyed. */
  readonly stallMs: number;
}

/**
 * Writes an answer piece by piece, each when the caller has taken what was written before. One that cannot be finished
 * is aborted: its connection is destroyed without the end that a whole answer has. Resolves with null when the
 * answer is out, else with what broke it off. The caller ends what `rest` waits for when the connection closes.
 */
export async function sendStreamed(
  reply: FastifyReply,
  { first, rest, stallMs }: StreamedBody,
): Promise<unknown> {
  const { raw } = reply;
  begin(reply);
  // From here on `stallMs` and the deadline of the work say how long the connection may be silent.
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
    raw.end();
    return null;
  } catch (error) {
    // What was written shows how far it came.
    await within(raw, stallMs, sent).catch(() => undefined);
    breakOff(reply);
    return error;
  } finally {
    await rest.return?.().catch(() => undefined);
  }
}

/** The head of a streamed answer alone, for `HEAD`. */
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

/** HTTP/1.0 knows no end but that of the connection, so there it must not end in order. */
function breakOff({ raw, request }: FastifyReply): void {
  if (request.raw.httpVersion === '1.0') raw.socket?.resetAndDestroy();
  raw.destroy();
}

/** Waits until the caller has taken what was written. Raises when they leave, or take nothing for `stallMs`. */
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

import type { FastifyReply } from 'fastify';

/** Time to write a response whose work has used all of its own time. */
const ANSWER_MS = 10_000;

/**
 * Lets the connection be silent for `ms`, plus the time to write a response, until this response has been sent. By
 * default, the server closes connections that are silent for longer than a read takes (HttpOptions.silentMs).
 */
export function allowSilence(reply: FastifyReply, ms: number): void {
  const { socket } = reply.raw;
  if (socket === null) return;
  const usual = socket.timeout ?? 0;
  if (usual === 0 || usual >= ms + ANSWER_MS) return;
  socket.setTimeout(ms + ANSWER_MS);
  reply.raw.once('close', () => socket.setTimeout(usual));
}

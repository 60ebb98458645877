import type { FastifyReply } from 'fastify';

/** For an answer to be written when its work has taken all the time it may. */
const ANSWER_MS = 10_000;

/**
 * Lets a connection be silent for `ms` and the time to write an answer, until this answer is out: the server closes one
 * that is silent for longer than a read takes (HttpOptions.silentMs).
 */
export function allowSilence(reply: FastifyReply, ms: number): void {
  const { socket } = reply.raw;
  if (socket === null) return;
  const usual = socket.timeout ?? 0;
  if (usual === 0 || usual >= ms + ANSWER_MS) return;
  socket.setTimeout(ms + ANSWER_MS);
  reply.raw.once('close', () => socket.setTimeout(usual));
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Operation, StreamedAnswer } from '../../operations/operation.ts';
import type { Services } from '../../operations/services.ts';
import type { Log } from '../../platform/log.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { attachmentOf } from '../http/header-values.ts';
import { sendHead, sendStreamed } from '../http/streamed-body.ts';

export interface StreamOptions {
  readonly services: Pick<Services, 'clock' | 'limits'>;
  readonly log: Pick<Log, 'warn'>;
  /** After so many milliseconds in which the caller takes nothing, the answer is aborted. */
  readonly stallMs: number;
}

/**
 * Writes a streamed answer (docs/exports.md#an-honest-end). Raises what its first piece raises; an answer that cannot
 * be finished after that is aborted, and logged if the caller was still connected. `gone` aborts when the caller
 * leaves.
 */
export async function streamAnswer(
  { mediaType, fileName, text, trailer }: StreamedAnswer,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  gone: AbortSignal,
  { services, log, stallMs }: StreamOptions,
): Promise<void> {
  const { clock, limits } = services;
  const late = new AbortController();
  const done = new AbortController();
  if (operation.longest !== null) {
    const seconds = limits[operation.longest];
    const message = `The answer took longer than ${seconds} seconds; ask for fewer days.`;
    clock.sleep(seconds * 1000, done.signal).then(
      () => late.abort(new ServiceError('upstream_timeout', { message })),
      () => undefined,
    );
  }
  try {
    const rest = (await text(AbortSignal.any([gone, late.signal])))[Symbol.asyncIterator]();
    const first = await rest.next();
    const type = mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
    reply.code(operation.status).header('content-type', type);
    if (fileName !== null) reply.header('content-disposition', attachmentOf(fileName));
    if (request.method === 'HEAD') return await sendHead(reply, rest);
    // Only chunks can be followed by one.
    const following = request.raw.httpVersion === '1.0' ? undefined : trailer;
    if (following !== undefined) reply.header('trailer', following.name);
    const failure = await sendStreamed(reply, { first, rest, stallMs, trailer: following });
    if (failure === null || gone.aborted) return;
    const code = failure instanceof ServiceError ? failure.code : null;
    const fields = { request_id: request.id, operation: operation.id, code };
    log.warn('A response was cut off.', fields, code === null ? failure : undefined);
  } finally {
    done.abort();
  }
}

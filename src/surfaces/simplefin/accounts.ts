import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../features/access/caller.ts';
import type { AccountSetQuery } from '../../features/reads/account-sets.ts';
import { writeAccountSet } from '../../operations/simplefin/account-set.ts';
import { sendHead, sendStreamed } from '../http/streamed-body.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { JSON_TYPE } from './headers.ts';

/** The request of an admitted app. */
interface AdmittedRequest {
  readonly caller: Caller;
  readonly query: AccountSetQuery;
  /** Aborts when the app hangs up. */
  readonly gone: AbortSignal;
}

/**
 * Answers `/accounts`. A small account set is sent at once, a larger one as its accounts are read. If it cannot be
 * completed, the connection is aborted, so that no app takes it for complete.
 */
export async function answerAccounts(
  { caller, query, gone }: AdmittedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  { services, log, stallMs }: BridgeOptions,
): Promise<FastifyReply> {
  const { accountSets, publicUrl, limits } = services;
  const set = await accountSets.read(caller.accountRecord.id, query, gone);
  const { twoDecimals, leaveOutExtra } =
    caller.kind === 'bridge_app' ? caller : { twoDecimals: false, leaveOutExtra: false };
  const rest = writeAccountSet(set, { publicUrl, limits, twoDecimals, leaveOutExtra });
  const first = await rest.next();
  reply.code(200).header('content-type', JSON_TYPE);
  const second = await rest.next();
  if (second.done === true) return reply.send(first.value);
  if (request.method === 'HEAD') await sendHead(reply, rest);
  else {
    const failure = await sendStreamed(reply, { first, rest: after(second, rest), stallMs });
    if (failure !== null && !gone.aborted) {
      log.warn('Aborted a response of the bridge.', { request_id: request.id }, failure);
    }
  }
  return reply;
}

/** The remaining pieces, including the one already requested. */
async function* after(known: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (known.done !== true) yield known.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Aborts when the caller disconnects before the response is complete; at once if that has happened already. */
export function abandoned(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed && !reply.raw.writableFinished) controller.abort();
  else
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort();
    });
  return controller.signal;
}

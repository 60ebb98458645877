import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../features/access/caller.ts';
import type { AccountSetQuery } from '../../features/reads/account-sets.ts';
import { writeAccountSet } from '../../operations/simplefin/account-set.ts';
import { sendHead, sendStreamed } from '../http/streamed-body.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { JSON_TYPE } from './headers.ts';

/** What an app asks for, once it may. */
interface AdmittedRequest {
  readonly caller: Caller;
  readonly query: AccountSetQuery;
  /** Aborts when the app hangs up. */
  readonly gone: AbortSignal;
}

/**
 * Answers `/accounts`. A small account set is sent whole, a larger one as its accounts are read; what cannot be finished
 * is broken off, so that no app takes it for whole.
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
      log.warn('A response of the bridge was cut off.', { request_id: request.id }, failure);
    }
  }
  return reply;
}

/** The pieces that are left, the one that was asked for already among them. */
async function* after(known: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (known.done !== true) yield known.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Aborts when the caller hangs up before the answer is out; at once when that has happened already. */
export function abandoned(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.closed && !reply.raw.writableFinished) controller.abort();
  else
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) controller.abort();
    });
  return controller.signal;
}

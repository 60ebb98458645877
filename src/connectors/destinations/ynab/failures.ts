import { Value } from 'typebox/value';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { UpstreamFailure } from '../../../vocabulary/upstream-failures.ts';
import { asUpstream, VendorRefusal } from '../kit/failures.ts';
import type { Judgement } from '../kit/vendor-client.ts';
import { Refusal } from './client.ts';

/** YNAB does not say when a used-up quota is available again; its window is an hour. */
const AFTER_SPENT_QUOTA_MS = 15 * 60_000;

/** What an error id of YNAB means if its status alone does not tell. */
const BY_ID: Readonly<Record<string, RunFailureCode>> = {
  '403.1': 'destination_auth_failed',
  '403.2': 'destination_auth_failed',
  '403.3': 'destination_auth_failed',
  '403.4': 'run_failed',
  '404.1': 'run_failed',
};

const BY_STATUS: Readonly<Record<number, RunFailureCode>> = { 404: 'destination_resource_missing' };

/** What an answer of YNAB outside 2xx means. */
export function judgeYnab(answer: OutgoingResponse): Judgement {
  const { status } = answer;
  if (status === 401) return { kind: 'token' };
  if (status === 429)
    return { kind: 'again', code: 'rate_limited', applied: false, afterMs: AFTER_SPENT_QUOTA_MS };
  if (status >= 500) return { kind: 'again', code: status === 504 ? 'timeout' : 'run_failed', applied: true };
  const { id, name, detail } = errorOf(answer);
  const code = BY_ID[id] ?? BY_STATUS[status] ?? 'run_failed';
  return { kind: 'final', code, word: name, text: detail, retryable: false };
}

function errorOf(answer: OutgoingResponse): { id: string; name: string; detail: string } {
  const none = { id: '', name: '', detail: '' };
  try {
    const body: unknown = JSON.parse(answer.text());
    if (!Value.Check(Refusal, body)) return none;
    const { id, name, detail } = body.error;
    return { id, name: /^[a-z_]{1,50}$/.test(name) ? name : '', detail };
  } catch {
    return none;
  }
}

/** A call while linking or listing. Raises UpstreamFailure, or `signal.reason`. */
export async function ynabRead<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await asUpstream(call, signal);
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    const { cause, message, situation } = error;
    if (cause instanceof VendorRefusal && cause.status === 404)
      throw new UpstreamFailure('bad_request', 'YNAB has no plan of that id.', { cause });
    if (situation !== 'rate_limited') throw error;
    throw new UpstreamFailure(situation, message, { cause, retryAfterSeconds: AFTER_SPENT_QUOTA_MS / 1000 });
  }
}

import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { Judgement } from '../kit/vendor-client.ts';

const Refusal = Type.Object({
  object: Type.Literal('error'),
  code: Type.String(),
  message: Type.Optional(Type.String()),
});
const WORD = /^[a-z_]{1,50}$/;

/** What an answer of Notion outside 2xx means. Its code is used if the status alone says too little. */
export function judgeNotion(answer: OutgoingResponse): Judgement {
  const { status } = answer;
  const body = parsed(answer);
  const { code, message = '' } = Value.Check(Refusal, body) ? body : { code: '' };
  const word = WORD.test(code) ? code : '';
  // Like 429, 529 is sent before the request is processed; after other server failures the outcome is unknown.
  if (status === 429 || status === 529) return { kind: 'again', code: 'rate_limited', applied: false };
  if (status === 504) return { kind: 'again', code: 'timeout', applied: true };
  if (status >= 500) return { kind: 'again', code: 'run_failed', applied: true };
  // Without Notion's own error it comes from the network in front of the API, which did not forward the request.
  if (status !== 401 && word === '') return { kind: 'again', code: 'run_failed', applied: false };
  // Two changes conflicted: this one was not made.
  if (word === 'conflict_error') return { kind: 'again', code: 'run_failed', applied: false };
  if (status === 401) return { kind: 'token' };
  const final = { kind: 'final', word, text: message, retryable: false } as const;
  if (status === 403) return { ...final, code: 'destination_auth_failed' };
  if (status === 404) return { ...final, code: 'destination_resource_missing' };
  return { ...final, code: 'run_failed' };
}

function parsed(answer: OutgoingResponse): unknown {
  try {
    return JSON.parse(answer.text());
  } catch {
    return null;
  }
}

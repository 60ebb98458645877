import type { AttemptFailure } from '../vocabulary/event-deliveries.ts';
import type { OutgoingFailureKind } from './outgoing-failure.ts';
import type { OutgoingResponse } from './outgoing-response.ts';

/** How many characters of an answer are logged. */
const ANSWER_CHARACTERS = 300;
/** Enough bytes for those characters. */
const ANSWER_BYTES = 4 * ANSWER_CHARACTERS;

/** Why a call to a receiver got no answer, as the log of attempts shows it. */
export const ATTEMPT_FAILURE_OF: Readonly<Record<OutgoingFailureKind, AttemptFailure>> = {
  refused_address: 'refused_address',
  connect: 'connection',
  dns: 'connection',
  tls: 'connection',
  reset: 'connection',
  timeout: 'timeout',
  too_large: 'answer_too_large',
  aborted: 'connection',
  protocol: 'connection',
};

/**
 * The beginning of a receiver's answer, without the control characters that a terminal or a page would act on; null for
 * an empty answer.
 */
export function clippedAnswer({ body }: Pick<OutgoingResponse, 'body'>): string | null {
  const text = body.subarray(0, ANSWER_BYTES).toString('utf8');
  const clean = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const clipped = [...clean].slice(0, ANSWER_CHARACTERS).join('');
  return clipped === '' ? null : clipped;
}

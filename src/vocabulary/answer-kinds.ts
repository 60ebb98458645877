import type { LimitName } from './limits.ts';

/**
 * Kinds of responses of a provider, by their contents, each with the limit on its bytes. An error response is truncated
 * at `answer_error_bytes`, whatever was requested.
 */
export const ANSWER_KINDS = {
  /** One thing: a token, a session, a customer. */
  object: 'answer_object_bytes',
  /** All of a short list, or a page of it: institutions, consents, accounts, balances. */
  list: 'answer_list_bytes',
  /** A page of transactions. */
  page: 'answer_page_bytes',
} as const satisfies Record<string, LimitName>;

export type AnswerKind = keyof typeof ANSWER_KINDS;

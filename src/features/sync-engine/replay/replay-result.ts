import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { RunFailureCode } from '../../../vocabulary/syncs.ts';

/** What a replay did. */
export interface Replay {
  /** Rows, and ids of removed rows, that the receiver took. */
  sent: number;
  /** Rows of the delivery that are no more, or that rules skip now; null for a replay of days. */
  missing: number | null;
  /** Rows that were not delivered yet, or whose delivery is unconfirmed: the next run sends them. */
  undelivered: number;
  /** Events that the receiver took. */
  deliveries: number;
  /** Why it is incomplete. */
  failure: ErrorCode | RunFailureCode | null;
}

/** Nothing more is sent. */
export class ReplayEnded extends Error {
  readonly code: ErrorCode | RunFailureCode;

  constructor(code: ReplayEnded['code'], cause?: unknown) {
    super(`a replay ended: ${code}`, { cause });
    this.name = 'ReplayEnded';
    this.code = code;
  }
}

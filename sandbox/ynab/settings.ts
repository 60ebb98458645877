import type { ErrorName } from './errors.ts';

/** What may be changed about the vendor while it runs. */
export interface Settings {
  /** Whether an import id whose transaction was deleted may be imported again; the vendor does not document it. */
  reimportsDeleted: boolean;
  /** Hours before midnight UTC from which the vendor accepts rows of the next day. */
  dayBeginsEarlierHours: number;
  /** Why every call is refused; null for none. */
  refusal: Extract<
    ErrorName,
    'subscription_lapsed' | 'trial_expired' | 'unauthorized_scope' | 'data_limit_reached'
  > | null;
  /** Payees whose transactions are refused, for a reason unknown in advance. */
  refusedPayees: readonly string[];
  /** Payees that the user's rules rename when they are imported. */
  readonly renames: Map<string, string>;
}

export function firstSettings(): Settings {
  return {
    reimportsDeleted: true,
    dayBeginsEarlierHours: 14,
    refusal: null,
    refusedPayees: [],
    renames: new Map(),
  };
}

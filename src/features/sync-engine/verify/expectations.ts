import type { ProblemReason } from '../../../vocabulary/verifications.ts';
import type { RowChange } from '../compare/row-changes.ts';

interface Verdict {
  /** Whether the destination is to show the row. */
  readonly wanted: boolean;
  /** What a row proves that is not there, that is there as wanted or unwanted, and that shows something else; null: nothing. */
  readonly absent: ProblemReason | null;
  readonly present: ProblemReason | null;
  readonly differs: ProblemReason | null;
  /** What follows where nobody looks at the destination. */
  readonly recorded: ProblemReason | null;
}

const NOTHING = { wanted: false, absent: null, present: null, differs: null, recorded: null } as const;

/** How rows are expected to stand, from what the bank says now and what was delivered. */
export const EXPECTATIONS = {
  delivered: { ...NOTHING, wanted: true, absent: 'removed_there', differs: 'edited_there' },
  changed: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'changed_since',
    recorded: 'changed_since',
  },
  /** Another row's place, which it takes with the next run. */
  replacing: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'replaced_since',
    recorded: 'replaced_since',
  },
  /** Not delivered; after a resync it may be there all the same. */
  undelivered: {
    ...NOTHING,
    wanted: true,
    absent: 'not_delivered_yet',
    differs: 'changed_since',
    recorded: 'not_delivered_yet',
  },
  /** Not delivered, and the destination takes it in no run. */
  refused: {
    ...NOTHING,
    wanted: true,
    absent: 'refused',
    differs: 'change_refused',
    recorded: 'refused',
  },
  /** Delivered as it was; the destination does not take what it is now. */
  changeRefused: {
    ...NOTHING,
    wanted: true,
    absent: 'removed_there',
    differs: 'change_refused',
    recorded: 'change_refused',
  },
  withdrawn: { ...NOTHING, present: 'withdrawn_by_bank', recorded: 'withdrawn_by_bank' },
  retired: { ...NOTHING, present: 'still_there' },
  /** It cannot be read now: what was delivered of it stays as it is. */
  unreadable: NOTHING,
  skipped: NOTHING,
  inDoubt: NOTHING,
} as const satisfies Record<string, Verdict>;
export type Expectation = keyof typeof EXPECTATIONS;

const REFUSED: Partial<Record<Expectation, Expectation>> = {
  undelivered: 'refused',
  changed: 'changeRefused',
};

/** What becomes of an expectation where the destination takes the row in no run. */
export const refusedOf = (expectation: Expectation): Expectation => REFUSED[expectation] ?? expectation;

/** How the row of a change is expected to stand. */
export function expectationOf({ change, replaces }: RowChange): Expectation {
  if (change === 'removed') return 'withdrawn';
  if (change === 'new') return 'undelivered';
  return replaces === null ? 'changed' : 'replacing';
}

import type { SyncType } from './syncs.ts';

/** How a row at the destination differs from what it should be (docs/verification.md). */
export const PROBLEM_KINDS = ['missing', 'extra', 'different', 'doubled'] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** What fixes a difference: the next run, a resync, or only a person. */
export const REMEDIES = ['run', 'resync', 'person'] as const;
export type Remedy = (typeof REMEDIES)[number];

interface Reason {
  readonly kind: ProblemKind;
  readonly remedy: Remedy;
}

/** Why a row differs, as far as the record of deliveries proves it; docs/verification.md explains each. */
export const PROBLEM_REASONS = {
  not_delivered_yet: { kind: 'missing', remedy: 'run' },
  refused: { kind: 'missing', remedy: 'person' },
  removed_there: { kind: 'missing', remedy: 'resync' },
  withdrawn_by_bank: { kind: 'extra', remedy: 'run' },
  still_there: { kind: 'extra', remedy: 'person' },
  unknown_position: { kind: 'extra', remedy: 'run' },
  edited_there: { kind: 'different', remedy: 'resync' },
  account_differs: { kind: 'different', remedy: 'resync' },
  changed_since: { kind: 'different', remedy: 'run' },
  change_refused: { kind: 'different', remedy: 'person' },
  replaced_since: { kind: 'different', remedy: 'run' },
  stands_twice: { kind: 'doubled', remedy: 'person' },
} as const satisfies Record<string, Reason>;
export type ProblemReason = keyof typeof PROBLEM_REASONS;
export const PROBLEM_REASON_NAMES = [
  'not_delivered_yet',
  'refused',
  'removed_there',
  'withdrawn_by_bank',
  'still_there',
  'unknown_position',
  'edited_there',
  'account_differs',
  'changed_since',
  'change_refused',
  'replaced_since',
  'stands_twice',
] as const satisfies readonly ProblemReason[];

/** What fixes a problem of a sync of this type. A run writes all holdings of an account, so it fixes all of those. */
export const remedyOf = (reason: ProblemReason, type: SyncType): Remedy =>
  type === 'holdings' ? 'run' : PROBLEM_REASONS[reason].remedy;

/** The part of a row that a destination cannot show, so that no run writes the row. */
export const REFUSALS = ['amount', 'currency', 'day', 'size'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Why a column that a sync shows is not filled: the target lacks it, or has one of an unsuitable type. */
export const COLUMN_PROBLEMS = ['absent', 'wrong_type'] as const;
export type ColumnProblem = (typeof COLUMN_PROBLEMS)[number];

/** What a sync's rows were compared with: the destination itself, or the record of deliveries. */
export const COMPARED_WITH = ['destination', 'record'] as const;
export type ComparedWith = (typeof COMPARED_WITH)[number];

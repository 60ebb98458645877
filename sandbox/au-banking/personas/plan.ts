import type { JsonObject } from '../../shared/json.ts';
import type { BalanceTerms } from '../bank-account.ts';
import type { Habit, PendingHours } from './movement.ts';

/** Numbers that belong to one account at one bank; drawn from the seed. */
export type AccountNumbers = {
  readonly accountId: string;
  readonly bsb: string;
  readonly accountNumber: string;
  /** The ids of the same customer's accounts, by plan key; for offset links. */
  idOf(planKey: string): string;
  /** A date relative to the sandbox's start, `YYYY-MM-DD`. */
  dateFrom(months: number): string;
};

export type AccountPlan = {
  readonly key: string;
  readonly currency?: string;
  readonly productCategory: string;
  readonly displayName: string;
  readonly productName: string;
  readonly nickname?: string;
  /** Product members beyond the basic ones. */
  readonly product?: (numbers: AccountNumbers) => JsonObject;
  readonly terms?: Partial<BalanceTerms>;
  readonly habit?: Habit;
  readonly pendingHours?: PendingHours;
  /** A computed statement with that many rows instead of a habit. */
  readonly computedRows?: number;
};

export type Persona = {
  readonly customer: string;
  readonly name: string;
  readonly summary: string;
  readonly accounts: readonly AccountPlan[];
};

export const DEFAULT_TERMS: BalanceTerms = {
  opening: '0.00',
  headroom: '0.00',
  live: true,
  creditLimit: null,
  amortisedLimit: null,
  purses: null,
};

import type { Habit } from '../rows/habits.ts';

/** One account of a persona. */
export type AccountPlan = {
  readonly key: string;
  readonly name: string;
  /** One of the vendor's account types. */
  readonly type: string;
  readonly currency?: string;
  /** The bank provides no transactions of it. */
  readonly silent?: boolean;
  /** Signed decimal, negative = owed. */
  readonly opening: string;
  readonly limit?: string;
  readonly habit?: Habit;
  /** Exactly that many rows instead of a habit. */
  readonly rows?: number;
};

type BankPlan = {
  /** Key of a bank. */
  readonly bank: string;
  readonly accounts: readonly AccountPlan[];
};

/** A person with log-ins at one or several banks. */
export type Persona = {
  readonly customer: string;
  readonly name: string;
  readonly summary: string;
  readonly banks: readonly BankPlan[];
};

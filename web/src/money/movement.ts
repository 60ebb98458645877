/** A posted transaction, reduced to what sums are made of. Days are local to the account. */
export interface Movement {
  readonly account: string;
  /** The day it posted, which is when the balance changed. */
  readonly day: string;
  /** The day of the transaction itself. */
  readonly spentOn: string;
  /** Minor units, negative for money that left. */
  readonly amount: bigint;
  readonly currency: string;
  /** The person's own category, by id. */
  readonly category: string | null;
  /** The provider's category. */
  readonly code: string | null;
}

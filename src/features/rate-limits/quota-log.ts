/** How many calls count at most at any moment, each for `windowMs` from when it was noted. */
export interface QuotaBounds {
  readonly amount: number;
  readonly windowMs: number;
}

/** Calls to vendors, noted one by one, so that a quota holds in every stretch of its length. */
export interface QuotaLog {
  /**
   * Notes a call and returns 0; where the quota is used up, notes nothing and returns the milliseconds until the oldest
   * call no longer counts.
   * @param call unique
   */
  take(key: string, call: string, bounds: QuotaBounds): number | Promise<number>;
  /** Forgets a call that was noted and not made. */
  forget(key: string, call: string): void | Promise<void>;
}

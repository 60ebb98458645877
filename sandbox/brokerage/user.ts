/** Somebody the vendor knows, and what opens their data. */
export type User = {
  readonly userId: string;
  userSecret: string;
  /** A secret before this one, which only a reset takes any more; null mostly. */
  outdated: string | null;
  /** When a queued deletion happens; null while nobody asked for one. */
  deletedAt: number | null;
};

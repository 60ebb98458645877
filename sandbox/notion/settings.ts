/** What a test may change about the simulated vendor. */
export interface NotionSettings {
  /** How long queries and searches lag behind writes, in milliseconds. */
  indexLagMs: number;
  /** The most rows that one query returns, over all its pages. */
  queryResultLimit: number;
  /** The most rows of a data source. */
  rowLimit: number;
}

export const DEFAULT_SETTINGS: NotionSettings = {
  indexLagMs: 0,
  queryResultLimit: 10_000,
  rowLimit: 1_000_000,
};

/** Three calls a second on average, and a few more in a burst. */
export const QUOTA = { calls: 35, windowMs: 10_000 } as const;

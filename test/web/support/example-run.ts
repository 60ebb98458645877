/** An example as its reader sends it. */
export interface FilledExample {
  readonly id: string;
  readonly text: string;
  /** Whether its answer has no end. */
  readonly endless: boolean;
}

/** What came of one that was run. */
export interface ExampleRun {
  readonly id: string;
  readonly printed: string;
  /** Of the answer; null if the example does not say it. */
  readonly status: string | null;
  /** What it complained of; null if it ended well, or where its answer has no end and began. */
  readonly problem: string | null;
}

/** An answer that is written while it is made, so that it may be of any length. */
export interface StreamedAnswer {
  /** Without parameters: `text/csv`. */
  readonly mediaType: string;
  /** The name of the file that it is; null for a live answer, which has no end. */
  readonly fileName: string | null;
  /**
   * The text in pieces. What the first piece raises is answered as any error; after it, the answer ends with the last
   * piece and is broken off, so that nobody takes it for whole. `signal` aborts when the caller leaves or time is up; a
   * live answer then ends with its last piece, and also when the caller is no longer admitted or the service stops.
   */
  readonly text: (signal: AbortSignal) => Promise<AsyncIterable<string>>;
}

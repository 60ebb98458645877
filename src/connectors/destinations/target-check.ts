/** What is about to be stored of a destination, or of a sync to it, in the vendor's own ids. */
export interface TargetQuestion {
  /** Every key of the type's target. */
  readonly target: Readonly<Record<string, string>>;
  /** Places in the target that accounts are mapped to: accounts of a budget, tabs of a spreadsheet. */
  readonly places: readonly string[];
  /** Categories of the target that rows are to get. */
  readonly categories: readonly string[];
}

/** What of it cannot be written to. */
export interface TargetProblem {
  readonly part: 'target' | 'places' | 'categories';
  /** The key of the target, or the id as it was asked about. */
  readonly name: string;
  /** What is wrong and what to do, for the owner; repeats nothing that was sent. */
  readonly message: string;
}

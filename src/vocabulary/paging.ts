/** Where in a newest-first list a page is. `after` and `before` are row ids; at most one is set. */
export interface PageRequest {
  readonly limit: number;
  /** Only rows strictly older than this one. */
  readonly after: string | null;
  /** Only rows strictly newer than this one. */
  readonly before: string | null;
}

/** Items newest first, in whichever direction the pages are followed. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Whether older rows remain. */
  readonly hasMore: boolean;
  /** Whether newer rows remain. */
  readonly hasPrevious: boolean;
}

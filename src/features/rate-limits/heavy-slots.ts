/** The places for heavy requests under way, so many for each caller (`heavy_in_flight`, docs/limits.md). */
export interface HeavySlots {
  /** How many a caller may take. */
  readonly places: number;
  /** A place, or null when all are taken. A promise only where processes share them. */
  take(caller: string): HeavySlot | null | Promise<HeavySlot | null>;
}

export interface HeavySlot {
  /** Gives the place back; once. */
  free(): void;
}

/** Sandbox time. */
export type SimulatorClock = {
  /** Epoch milliseconds. */
  now(): number;
};

/** The machine's clock. */
export const SYSTEM_CLOCK: SimulatorClock = { now: (): number => Date.now() };

/** One line of a look at the installation. */
export interface OperatorFinding {
  readonly check: string;
  readonly outcome: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice: string | null;
}

/** A fault that waits at a simulator. */
export interface OperatorFault {
  readonly id: number;
  readonly route: string;
  readonly kind: string;
  /** How many requests it hits; null where it has no end. */
  readonly remaining: number | null;
}

interface NewFault {
  readonly integration: string;
  readonly kind: string;
  readonly route: string;
  readonly count: number;
}

/** The simulators, and the clock that they share with the service. */
export interface OperatorSandbox {
  readonly integrations: readonly string[];
  readonly faultKinds: readonly string[];
  faults(integration: string, signal: AbortSignal): Promise<readonly OperatorFault[]>;
  /** Raises `parameter_invalid` with the simulator's reason. */
  arm(fault: NewFault, signal: AbortSignal): Promise<void>;
  disarm(integration: string, signal: AbortSignal): Promise<void>;
  /** Null where a real integration goes by the time of day. */
  readonly clock: {
    now(): { readonly now: string; readonly aheadHours: number };
    /** Raises `parameter_invalid` for a text that is no duration, and for more than five years. */
    forward(duration: string, signal: AbortSignal): Promise<void>;
  } | null;
}

/** What the operator does in a browser that the command line does as well. */
export interface OperatorTools {
  look(signal: AbortSignal): Promise<readonly OperatorFinding[]>;
  /** Null where nothing is simulated. */
  readonly sandbox: OperatorSandbox | null;
}

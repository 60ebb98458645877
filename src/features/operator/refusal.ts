/**
 * What an operator requested cannot be done; the message says why, and what to do instead. It names no command line
 * option and no form field: each surface adds its own name for the input.
 */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
  /** Whether the request has to change, or the installation. */
  readonly reason: 'input' | 'state';
  /** The input that is wrong, by its name in the call; null if it is not a single one. */
  readonly input: string | null;

  constructor(reason: OperatorRefusal['reason'], message: string, input: string | null = null) {
    super(message);
    this.reason = reason;
    this.input = input;
  }
}

/** The input is not understood, or its value is not allowed. */
export function wrongInput(input: string | null, message: string): OperatorRefusal {
  return new OperatorRefusal('input', message, input);
}

/** The state of the installation does not allow it, whatever the input. */
export function wrongState(message: string): OperatorRefusal {
  return new OperatorRefusal('state', message);
}

/**
 * What an operator asked for cannot be done; the message says why, and what to ask instead. It names no option of the
 * command line and no field of a page: each surface adds its own name of the input.
 */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
  /** Whether something else has to be asked, or the installation has to change first. */
  readonly reason: 'input' | 'state';
  /** The input that is wrong, by the name it has in the call; null where no single one is. */
  readonly input: string | null;

  constructor(reason: OperatorRefusal['reason'], message: string, input: string | null = null) {
    super(message);
    this.reason = reason;
    this.input = input;
  }
}

/** The input of that name is not understood, or may not be what it is. */
export function wrongInput(input: string | null, message: string): OperatorRefusal {
  return new OperatorRefusal('input', message, input);
}

/** The installation is in no state for it, whatever is asked. */
export function wrongState(message: string): OperatorRefusal {
  return new OperatorRefusal('state', message);
}

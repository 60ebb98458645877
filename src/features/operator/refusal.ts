/** What an operator asked for cannot be done as it was asked; the message says why, and what to ask instead. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
}

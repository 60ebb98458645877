import type { V1RefusalName } from '../../vocabulary/v1-errors.ts';

/** By the name of a parameter, what is wrong with it. Never empty. */
export type V1Details = Readonly<Record<string, readonly string[]>>;

/** A refusal that v1 alone has (docs/v1.md#errors). */
export class V1Refusal extends Error {
  readonly reason: V1RefusalName;
  readonly details: V1Details | null;

  constructor(reason: V1RefusalName, message: string, details: V1Details | null = null) {
    super(message);
    this.name = 'V1Refusal';
    this.reason = reason;
    this.details = details;
  }
}

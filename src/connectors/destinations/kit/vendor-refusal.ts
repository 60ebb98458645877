import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { DestinationFailure } from '../destination-failure.ts';

/** A vendor's final answer outside 2xx, for connectors that act on what exactly it said. */
export class VendorRefusal extends DestinationFailure {
  readonly status: number;
  /** The vendor's own word for it, such as `INVALID_VALUE_FOR_COLUMN`; empty where it has none. */
  readonly word: string;
  /** The vendor's own text. It may quote a row: never logged and never shown. */
  readonly text: string;

  constructor(
    code: RunFailureCode,
    message: string,
    more: {
      readonly status: number;
      readonly word: string;
      readonly text: string;
      readonly outcome: 'refused' | 'unknown';
      readonly retryable: boolean;
    },
  ) {
    super(code, message, more);
    this.name = 'VendorRefusal';
    this.status = more.status;
    this.word = more.word;
    this.text = more.text;
  }
}

import { type GoogleError, invalid } from './google-error.ts';

/** What a batch is applied with. */
export interface BatchContext {
  /** A number that is not taken. */
  readonly newId: (taken: (id: number) => boolean) => number;
  /** A text that no cell may hold; null for none. */
  readonly refusedText: string | null;
}

/** Which request of a batch. */
export interface Where {
  readonly index: number;
  readonly name: string;
}

export const refusal = ({ index, name }: Where, why: string): GoogleError =>
  invalid(`Invalid requests[${index}].${name}: ${why}`);

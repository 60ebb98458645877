import type { Parser } from './config-values.ts';

/** One variable of the environment: how it is read, and what docs/configuration.md says about it. */
export type Variable<T> = {
  readonly parse: Parser<T>;
  /** The text that stands for an unset variable, or null when there is none; `shownDefault` then says what happens. */
  readonly default: string | null;
  readonly shownDefault?: string;
  readonly form: string;
  readonly purpose: string;
};

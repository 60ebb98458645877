import type { Search } from './search.ts';

/** Which rule of a ruleset is being edited: its id, or `new`. */
export interface RulesetSearch {
  readonly rule?: string;
}

export function rulesetSearch({ rule }: Search): RulesetSearch {
  return typeof rule === 'string' && rule !== '' ? { rule } : {};
}

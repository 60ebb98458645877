/**
 * What is wrong with a value that a person entered to link (Provider.asks), found before anything is called.
 * `unreadable`: it is not what was asked for. `insecure`: it leads to an address without TLS. `own`: it leads to this
 * service.
 */
export const ENTERED_PROBLEMS = ['unreadable', 'insecure', 'own'] as const;
export type EnteredProblem = (typeof ENTERED_PROBLEMS)[number];

export function isEnteredProblem(text: string): text is EnteredProblem {
  return ENTERED_PROBLEMS.some((problem) => problem === text);
}

/** The longest value that is accepted, in characters. */
export const MOST_ENTERED_CHARACTERS = 2_000;

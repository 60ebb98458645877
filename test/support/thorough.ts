/**
 * Whether what takes minutes is done in full. `.ci/run` says so for the suites on a server; without it `npm test` does
 * part of each.
 */
export const THOROUGH = process.env.THOROUGH === 'true';

/** So many generated cases of a kind that is dear, each with a world of its own or a request: in `npm test` half. */
export const generated = (cases: number): number => (THOROUGH ? cases : Math.ceil(cases / 2));

/**
 * Whether what takes minutes is done in full. `.ci/run` says so for the suites on a server; without it `npm test` does
 * part of each.
 */
export const THOROUGH = process.env.THOROUGH === 'true';

/** For a test that does again, with a whole service, what others do in less time. */
export const ONLY_THOROUGH = { skip: THOROUGH ? false : 'runs with THOROUGH' } as const;

/** So many generated cases of a kind that is dear, each with a world of its own or a request: in `npm test` a third. */
export const generated = (cases: number): number => (THOROUGH ? cases : Math.ceil(cases / 3));

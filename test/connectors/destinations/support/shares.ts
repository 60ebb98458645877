import { THOROUGH } from '../../../support/thorough.ts';

/**
 * Tests inject a fault at each call or statement in turn and repeat the whole run for each: `npm test` takes every fifth
 * of them, the suites on a server all.
 */
const SHARE = THOROUGH ? 1 : 5;

/** The distance between two faults. @param least where all are taken */
export const stepOf = (least = 1): number => least * SHARE;

/** Where a kind of fault begins, so that five kinds together reach every call. @param kind its number */
export const firstOf = (kind: number): number => kind % SHARE;

/** Rows of a large stream: of all destinations more than one chunk. */
export const MANY_ROWS = THOROUGH ? 10_000 : 4_500;

import { numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/rows-aside.ts';

/** Rows of a bank that could not be read, beside what is shown without them. */
export const ROWS_ASIDE: typeof english.ROWS_ASIDE = {
  missing: (count, account) =>
    `Kāore i taea te pānui ${numberText(count)} haupae o ${account}, nō reira kāore i konei`,
  notInFile: (count, account) =>
    `Kāore i taea te pānui ${numberText(count)} haupae o ${account}, nō reira kāore i roto i te kōnae`,
};

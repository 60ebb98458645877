import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/rows-aside.ts';

/** Rows of a bank that could not be read, beside what is shown without them. */
export const ROWS_ASIDE: typeof english.ROWS_ASIDE = {
  missing: (count, account) =>
    `${counted(count, 'ligne', 'lignes')} de ${account} ${count === 1 ? 'n’a pas pu être lue et manque' : 'n’ont pas pu être lues et manquent'} ici`,
  notInFile: (count, account) =>
    `${counted(count, 'ligne', 'lignes')} de ${account} ${count === 1 ? 'n’a pas pu être lue et manque' : 'n’ont pas pu être lues et manquent'} dans le fichier`,
};

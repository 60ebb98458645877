import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/rows-aside.ts';

/** Rows of a bank that could not be read, beside what is shown without them. */
export const ROWS_ASIDE: typeof english.ROWS_ASIDE = {
  missing: (count, account) =>
    `${counted(count, 'Zeile', 'Zeilen')} von ${account} ${count === 1 ? 'konnte nicht gelesen werden und fehlt' : 'konnten nicht gelesen werden und fehlen'} hier`,
  notInFile: (count, account) =>
    `${counted(count, 'Zeile', 'Zeilen')} von ${account} ${count === 1 ? 'konnte nicht gelesen werden und fehlt' : 'konnten nicht gelesen werden und fehlen'} in der Datei`,
};

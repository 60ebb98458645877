import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/rows-aside.ts';

/** Rows of a bank that could not be read, beside what is shown without them. */
export const ROWS_ASIDE: typeof english.ROWS_ASIDE = {
  missing: (count, account) =>
    `${counted(count, 'fila', 'filas')} de ${account} no se ${count === 1 ? 'pudo leer, así que falta' : 'pudieron leer, así que faltan'} aquí`,
  notInFile: (count, account) =>
    `${counted(count, 'fila', 'filas')} de ${account} no se ${count === 1 ? 'pudo leer, así que falta' : 'pudieron leer, así que faltan'} en el archivo`,
};

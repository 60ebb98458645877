import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destination-targets.ts';

/** `one` has its article, from which the sentences below know the gender. */
const KINDS: typeof english.TARGETS.kinds = {
  spreadsheet: {
    one: 'una hoja de cálculo',
    many: 'Hojas de cálculo',
    none: 'No hay ninguna hoja de cálculo que elegir',
    noneText:
      'Google solo muestra a Tributary las hojas de cálculo que Tributary creó o que usted abrió con él. Cree una nueva.',
  },
  sheet: {
    one: 'una pestaña',
    many: 'Pestañas',
    none: 'No hay ninguna pestaña en esta hoja de cálculo',
    noneText: 'Añada una pestaña a la hoja de cálculo y vuelva a consultar.',
  },
  database: {
    one: 'una base de datos',
    many: 'Bases de datos',
    none: 'No hay ninguna base de datos que elegir',
    noneText:
      'Notion solo muestra a Tributary las páginas que usted compartió con él. Comparta la página en la que está la base de datos y vuelva a consultar.',
  },
  base: {
    one: 'una base',
    many: 'Bases',
    none: 'No hay ninguna base que elegir',
    noneText:
      'Cree una base en Airtable, o vuelva a iniciar sesión y marque la base en la página de Airtable.',
  },
  table: {
    one: 'una tabla',
    many: 'Tablas',
    none: 'No hay ninguna tabla aquí',
    noneText: 'Cree una nueva.',
  },
  budget: {
    one: 'un presupuesto',
    many: 'Presupuestos',
    none: 'No hay ningún presupuesto que elegir',
    noneText: 'Cree primero un presupuesto allí y vuelva a consultar.',
  },
  folder: {
    one: 'una carpeta',
    many: 'Carpetas',
    none: 'No hay ninguna carpeta que elegir',
    noneText: 'Cree una nueva.',
  },
  schema: {
    one: 'un esquema',
    many: 'Esquemas',
    none: 'No hay ningún esquema que elegir',
    noneText: 'Conceda al usuario de la base de datos el derecho a usar un esquema y vuelva a consultar.',
  },
};

const FEMININE = 'una ';
const MASCULINE = 'un ';

/** The kind after another word than its article, of which both genders are given. */
function after(kind: string, feminine: string, masculine: string): string {
  const words = `${kind}`;
  return words.startsWith(FEMININE)
    ? `${feminine} ${words.slice(FEMININE.length)}`
    : `${masculine} ${words.startsWith(MASCULINE) ? words.slice(MASCULINE.length) : words}`;
}

export const TARGETS: typeof english.TARGETS = {
  kinds: KINDS,
  how: '¿Adónde deben ir las filas?',
  makeNew: (kind) => `Crear ${kind}`,
  existing: (kind) => `Usar ${kind} que ya existe`,
  existingHint: 'Se añaden las columnas que faltan. Lo que usted guarda allí se conserva.',
  name: 'Nombre',
  defaultName: 'Tributary',
  nameMissing: 'Escriba un nombre.',
  holds: 'Contendrá',
  holdsChoices: { transactions: 'Movimientos', holdings: 'Posiciones', trades: 'Operaciones' },
  holdsHint: 'De esto dependen las columnas que tendrá.',
  make: (kind) => `Crear ${kind}`,
  making: 'Esto puede tardar unos segundos.',
  makeFailed: (kind) => `No se ha podido crear ${kind}`,
  makeFailedText: 'Inténtelo de nuevo: si se llegó a crear, se encuentra y no se crea dos veces.',
  inside: (kind) => `Elija ${kind} donde crear lo nuevo`,
  choose: (kind) => `Elija ${kind}`,
  chooseIn: (kind, name) => `Elija ${kind} en ${name}`,
  chosen: (kind) => `Ha elegido ${kind}`,
  other: (kind) => `Elegir ${after(kind, 'otra', 'otro')}`,
  aim: (kind) => `Usar ${after(kind, 'esta', 'este')}`,
  aimFailed: 'No se ha guardado la elección',
  search: (many) => `Buscar ${many.toLowerCase()}`,
  count: (shown, all) =>
    shown === all
      ? counted(all, 'opción para elegir', 'opciones para elegir')
      : `${counted(shown, 'coincidencia', 'coincidencias')} de ${all}`,
  unmatched: 'No hay nada con este nombre. Cambie la búsqueda.',
  truncated: (count) =>
    `Aquí solo se muestran ${count}. Si no encuentra lo que busca, elimine o archive algunos elementos allí.`,
  again: 'Volver a consultar',
  listFailed: (many) => `${many}: no se ha podido obtener la lista`,
  current: 'En uso actualmente',
};

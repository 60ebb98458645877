import { counted, listText, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/transactions.ts';

const transactions = (count: number) => counted(count, 'movimiento', 'movimientos');

export const TRANSACTIONS: typeof english.TRANSACTIONS = {
  title: 'Movimientos',
  tabs: 'Vistas de los movimientos',
  recurring: 'Periódicos',
  merchants: 'Comercios',
  filters: 'Filtros',
  account: 'Cuenta',
  everyAccount: 'Todas las cuentas',
  everyAccountOf: (bank) => `Todas las de ${bank}`,
  from: 'Desde',
  to: 'Hasta',
  search: 'Buscar',
  kind: 'Mostrar',
  kinds: {
    all: 'Todos',
    in: 'Entradas',
    out: 'Salidas',
    spending: 'Gastos y reembolsos',
    pending: 'Pendientes',
  },
  category: 'Categoría',
  everyCategory: 'Todas las categorías',
  noCategory: 'Sin categoría',
  wholeGroup: (name) => `Todo el grupo ${name}`,
  uncategorised: 'Sin categoría, tampoco del banco',
  ofBank: (code) => `${code}, solo del banco`,
  least: 'Como mínimo',
  most: 'Como máximo',
  noAmount: (example) => `Introduzca un importe como ${example}.`,
  sort: 'Ordenar por',
  sorts: {
    newest: 'Más recientes primero',
    oldest: 'Más antiguos primero',
    largest: 'Mayor importe',
    smallest: 'Menor importe',
  },
  clear: 'Borrar los filtros',
  moreFilters: 'Más filtros',
  fewerFilters: 'Menos filtros',
  pending: 'Pendientes',
  pendingRows: (count) => counted(count, 'pendiente', 'pendientes'),
  showPending: 'Mostrar',
  hidePending: 'Ocultar',
  pendingAside: 'Pueden cambiar o desaparecer antes de contabilizarse',
  total: (amounts) => `Total: ${amounts}`,
  amountsIn: (currency) => `Importes en ${currency}`,
  noDate: 'Sin fecha',
  rows: transactions,
  sortedSoFar: 'Ordenados solo entre los leídos. Lea el período completo para ordenarlos todos.',
  readWhole: 'Leer el período completo',
  reading: (count) => `Leyendo… ${transactions(count)}`,
  loading: 'Cargando movimientos anteriores…',
  end: 'No hay movimientos anteriores en este período',
  none: 'No hay movimientos en este período',
  noneText: 'Elija días anteriores u otra cuenta.',
  unmatched: 'Ningún movimiento coincide',
  searched: (from, to) => `Se ha buscado del ${from} al ${to}.`,
  unmatchedText: 'Cambie la búsqueda o los filtros para ver más.',
  noAccount: 'Aún no hay ninguna cuenta bancaria vinculada',
  noAccountText:
    'Vincule un banco para ver sus movimientos. Se leen del banco cuando usted los consulta y no se almacenan.',
  moreFailed: 'No se han podido cargar los movimientos anteriores',
  bankFailed: (bank) => `No se ha podido leer ${bank}, por lo que sus movimientos faltan aquí`,
};

export const UNLINKED_ACCOUNT: typeof english.UNLINKED_ACCOUNT = {
  choice: 'Ya no está vinculada',
  title: 'Esta cuenta ya no está vinculada',
  text: 'Se ha desvinculado, o se ha vinculado de nuevo como otra cuenta. Elija otra o muestre todas.',
  showAll: 'Mostrar todas las cuentas',
};

export const TRANSACTION: typeof english.TRANSACTION = {
  account: 'Cuenta',
  bank: 'Banco',
  status: 'Estado',
  statuses: { posted: 'Contabilizado', pending: 'Pendiente' },
  date: 'Fecha',
  posted: 'Fecha de contabilización',
  valueDate: 'Fecha valor',
  description: 'Descripción',
  more: 'Más datos del banco',
  reference: 'Referencia',
  merchant: 'Comercio',
  merchantCode: 'Código de categoría del comercio',
  category: 'Categoría',
  none: 'Ninguna',
  bankCategory: 'Categoría en el banco',
  noCategory: 'Sin categoría',
  idOf: (id) => `Identificador del movimiento: ${id}`,
  change: 'Cambiar la categoría',
};

export const SELECTION: typeof english.SELECTION = {
  label: 'Movimientos seleccionados',
  start: 'Seleccionar',
  stop: 'Listo',
  one: (name) => `Seleccionar ${name}`,
  chosen: (count) => counted(count, 'seleccionado', 'seleccionados'),
  all: (count, complete) =>
    complete
      ? `Seleccionar todos (${numberText(count)})`
      : `Seleccionar todos los leídos (${numberText(count)})`,
  clear: 'Quitar la selección',
};

export const LISTED: typeof english.LISTED = {
  narrowed: (found, read) => `${found} de ${read}`,
  soFar: (shown) => `${shown} hasta ahora`,
};

export const EXPORTS: typeof english.EXPORTS = {
  action: 'Exportar',
  title: 'Exportar movimientos',
  everything: (days) =>
    `Los movimientos (${days}), también los que aún no se han leído. Se piden ahora al banco.`,
  filtered: (count) =>
    count === 1
      ? `${transactions(count)} que coincide con sus filtros.`
      : `${transactions(count)} que coinciden con sus filtros.`,
  filteredSoFar: (count) =>
    count === 1
      ? `Hasta ahora, ${transactions(count)} coincide con sus filtros. Antes se lee el resto del período.`
      : `Hasta ahora, ${transactions(count)} coinciden con sus filtros. Antes se lee el resto del período.`,
  days: (from, to) => `del ${from} al ${to}`,
  format: 'Formato',
  formats: { csv: 'CSV', jsonl: 'JSON Lines', ofx: 'OFX', ofx1: 'OFX 1.02', qif: 'QIF' },
  hints: {
    csv: 'Para hojas de cálculo. Un texto que una hoja de cálculo ejecutaría como fórmula lleva delante un apóstrofo.',
    jsonl: 'Para programas: cada línea es un movimiento tal como lo muestra la API.',
    ofx: 'Para programas de contabilidad. Solo movimientos contabilizados.',
    ofx1: 'Para programas de contabilidad que no leen versiones posteriores de OFX.',
    qif: 'Para programas que no leen OFX. Si se importa un período dos veces, queda duplicado.',
  },
  statementFiltered: 'Este formato contiene extractos completos. Borre los filtros para exportar uno.',
  save: 'Guardar archivo',
  failed: 'No se ha podido crear el archivo',
  done: 'Archivo guardado',
  doneText: (count, file) => `${transactions(count)} en ${file}.`,
  // Headers of a file, whose other headers are the English ones of the API.
  // Headers of the CSV file, which importers know by their English names.
  bankCategory: 'Bank Category',
  reference: 'Reference',
  missingBanks: (names) => `Sin ${listText(names)}: no se ${names.length === 1 ? 'ha' : 'han'} podido leer.`,
};

import { counted, numberText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/statement-files.ts';

export const STATEMENT_FILES: typeof english.STATEMENT_FILES = {
  unlisted: '¿Su banco no está aquí?',
  unlistedText: 'Suba sus extractos como archivos.',
  kept: 'Estos archivos se guardan',
  keptText:
    'Tributary no guarda datos financieros, con esta única excepción: un archivo de extracto y los movimientos que usted toma de él se guardan cifrados, porque no hay ningún banco al que se puedan volver a pedir. Un archivo se elimina 30 días después de que cada sincronización de su cuenta lo haya entregado, o tras los días que usted elija; y de inmediato, con sus movimientos, cuando usted lo elimina.',
  guide: 'Cómo funcionan los archivos de extractos',
  drop: 'Suelte aquí los archivos de extractos',
  formats: (most) => `OFX, QFX, QIF, CSV, CAMT.053 o MT940, hasta ${most} cada uno`,
  choose: 'Elegir archivos',
  goInto: (account) => `Los archivos pertenecen a ${account}.`,
  uploads: 'Subidas',
  waiting: 'Espera al archivo anterior',
  sending: 'Subiendo…',
  tooLarge: (size, most) => `Tiene ${size}; un archivo puede tener hasta ${most}.`,
  empty: 'Está vacío.',
  remove: (file) => `Quitar ${file} de esta lista`,
  list: 'Archivos subidos',
  none: 'Aún no hay archivos de extractos',
  noneText: 'Después de subir un archivo, verá lo que contiene antes de que se añada nada a una cuenta.',
  status: { uploaded: 'Aún sin tomar', taken: 'Tomado', delivered: 'Entregado', undone: 'Retirado' },
  uploaded: (ago) => `Subido ${ago}`,
  rowsIn: (rows, account) => `${counted(rows, 'movimiento', 'movimientos')} en ${account}`,
  liveRows: (rows) =>
    `${counted(rows, 'movimiento omitido', 'movimientos omitidos')}, que ya llegan del banco`,
  deletedOn: (day) => `Se elimina el ${day}`,
  deletedAfter: (days) =>
    days === 0
      ? 'Se elimina al entregarse'
      : `Se elimina ${counted(days, 'día', 'días')} después de la entrega`,
  keptForGood: 'Se guarda hasta que usted lo elimine',
  review: 'Revisar',
  actionsOf: (file) => `Acciones para ${file}`,
  undo: 'Retirar los movimientos',
  download: 'Descargar',
  delete: 'Eliminar',
  failed: {
    upload: (file) => `No se ha subido ${file}`,
    take: (file) => `No se ha tomado ${file}`,
    undo: (file) => `No se han retirado los movimientos de ${file}`,
    delete: (file) => `No se ha eliminado ${file}`,
    download: (file) => `No se ha descargado ${file}`,
    save: 'No se ha guardado el cambio',
    preview: 'No se puede mostrar lo que contiene el archivo',
  },
  done: {
    taken: (file) => `Tomado: ${file}`,
    takenText: (rows) =>
      `${counted(rows, 'movimiento se muestra', 'movimientos se muestran')} ahora. Las sincronizaciones de la cuenta empiezan.`,
    account: 'Ver la cuenta',
  },
  deleting: {
    title: (file) => `¿Eliminar ${file}?`,
    text: 'El archivo se elimina de inmediato. Esto no se puede deshacer.',
    rows: (rows) =>
      `${counted(rows, 'movimiento tomado de él dejará', 'movimientos tomados de él dejarán')} de mostrarse, salvo si otro archivo tiene el mismo. Las sincronizaciones los quitan después también de sus destinos.`,
  },
};

export const STATEMENT_FILE: typeof english.STATEMENT_FILE = {
  plan: 'Qué ocurrirá',
  account: 'Pertenece a',
  newAccount: 'Una cuenta nueva',
  byNumber: 'La cuenta con el número del archivo',
  several: (accounts) =>
    `El archivo tiene ${counted(accounts, 'cuenta', 'cuentas')}. Cada una va adonde corresponde su número.`,
  retention: 'Eliminar el archivo',
  retentions: {
    atOnce: 'En cuanto se entregue',
    after: (days) => `${counted(days, 'día', 'días')} después de entregarse`,
    never: 'Solo cuando yo lo elimine',
  },
  reading: 'Leyendo el archivo…',
  adds: (rows) =>
    rows === 0
      ? 'Nada en este archivo es nuevo.'
      : `Se ${rows === 1 ? 'añadirá' : 'añadirán'} ${counted(rows, 'movimiento nuevo', 'movimientos nuevos')}.`,
  takeRows: 'Tomar los movimientos',
  take: (rows) =>
    rows === 0
      ? 'Tomarlo de todos modos'
      : `Tomar ${counted(rows, 'movimiento nuevo', 'movimientos nuevos')}`,
  into: (account) => `Va a ${account}`,
  alike: (account) =>
    `La mayoría de estos movimientos ya están en ${account}. Si es la misma cuenta, elíjala arriba; si no, estarán duplicados.`,
  makes: 'Crea una cuenta nueva',
  makesBeside: (account) => `Crea una cuenta nueva junto a ${account}, para lo que no llega del banco`,
  compared: (account) =>
    `${account} también está vinculada al banco: se omiten los movimientos que ya llegan del banco.`,
  days: (from, to) => `${from} a ${to}`,
  counts: {
    new: 'Nuevos',
    known: 'En un archivo anterior',
    live: 'Ya llegan del banco',
    pending: 'Aún sin contabilizar, omitidos',
    unreadable: 'Ilegibles',
  },
  rows: 'Movimientos del archivo',
  firstRows: (shown, all) => `Los primeros ${numberText(shown)} de ${numberText(all)} movimientos`,
  noRows: 'No hay ningún movimiento legible.',
  date: 'Fecha',
  description: 'Descripción',
  amount: 'Importe',
  outcome: 'Qué ocurre',
  outcomes: {
    new: 'Se añade',
    known: 'Conocido de un archivo anterior',
    live: 'Omitido: ya llega del banco',
  },
  unreadable: (rows) => `${counted(rows, 'fila no se puede', 'filas no se pueden')} leer`,
  unreadableText: 'Se omiten. Si no debería haber ninguna, corrija cómo se lee el archivo.',
  unreadableRow: (row, what) => `Fila ${numberText(row)}: ${what}`,
  unreadableFields: {
    date: 'sin fecha legible',
    amount: 'sin importe legible',
    row: 'sin fecha ni importe',
  },
  more: (rows) => `y ${numberText(rows)} más`,
  taken: 'Qué se ha tomado',
  takenNone: 'Nada: otro archivo o el banco tiene todos los movimientos.',
  takenAt: 'Tomado',
  delivered: 'Entregado',
  notDelivered: 'Todavía no por todas las sincronizaciones de su cuenta',
};

export const CSV_LAYOUT: typeof english.CSV_LAYOUT = {
  title: 'Cómo se leen las columnas',
  hint: 'Deducido del archivo entero. Corrija lo que esté mal: los movimientos de abajo se actualizan, y el próximo archivo de la misma cuenta se lee igual.',
  unguessed:
    'Las columnas de este archivo no se pueden deducir. Elija sobre ellas lo que contienen: una fecha, una descripción y un importe. El próximo archivo de la misma cuenta se lee igual.',
  doubts: 'El archivo no demuestra todo esto. Compruebe:',
  doubt: {
    columns: 'qué contiene cada columna',
    date_order: 'si va primero el día o el mes',
    decimal_sign: 'qué signo precede a los decimales',
    direction: 'si los importes positivos entraron o salieron',
  },
  delimiter: 'Entre columnas',
  delimiters: { comma: 'Coma', semicolon: 'Punto y coma', tab: 'Tabulador', bar: 'Barra vertical' },
  skip: 'Líneas que se omiten',
  header: 'La primera línea nombra las columnas',
  dateOrder: 'Orden de las fechas',
  dateOrders: { ymd: 'Año, mes, día', dmy: 'Día, mes, año', mdy: 'Mes, día, año' },
  decimalSign: 'Signo decimal',
  decimalSigns: { point: 'Punto (1234.50)', comma: 'Coma (1234,50)' },
  positive: 'Importes positivos',
  positives: { in: 'Entraron', out: 'Salieron' },
  firstRows: 'Primeras filas del archivo',
  column: (at) => `Columna ${numberText(at)}`,
  holds: (column) => `Qué contiene ${column}`,
  notRead: 'No se lee',
  roles: {
    date: 'Fecha',
    description: 'Descripción',
    amount: 'Importe',
    debit: 'Salida',
    credit: 'Entrada',
    direction: 'Entra o sale',
    counterparty: 'Otra parte',
    value_date: 'Fecha valor',
    reference: 'Referencia',
    currency: 'Moneda',
    category: 'Categoría',
    balance: 'Saldo',
    account: 'Cuenta',
  },
  needs: (what) => `Falta elegir: ${what}.`,
  need: { date: 'la columna de fechas', description: 'una descripción', amount: 'los importes' },
  guess: 'Volver a lo deducido',
};

export const ACCOUNT_FILES: typeof english.ACCOUNT_FILES = {
  title: 'Archivos de extractos',
  text: 'Los movimientos de esta cuenta vienen de archivos que usted sube. Los archivos no tienen saldo.',
  add: 'Añadir un archivo',
  all: 'Todos los archivos',
};

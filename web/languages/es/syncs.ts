import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/syncs.ts';

const accounts = (count: number) => counted(count, 'cuenta', 'cuentas');

export const SYNCS: typeof english.SYNCS = {
  title: 'Sincronizaciones',
  create: 'Sincronización nueva',
  none: 'Aún no se copia nada',
  noneText:
    'Una sincronización copia movimientos, posiciones u operaciones a una hoja de cálculo, una aplicación de presupuesto, una base de datos o un webhook, y los mantiene al día.',
  noneLinked:
    'Vincule primero un banco. Después podrá copiar sus movimientos al lugar donde trabaja con ellos.',
  link: 'Vincular un banco',
  type: { transactions: 'Movimientos', holdings: 'Posiciones', trades: 'Operaciones' },
  copies: (what, count, where) => `${what} de ${accounts(count)} en ${where}`,
  status: {
    running: 'En curso',
    attention: 'Requiere atención',
    idle: 'Al día',
    paused: 'En pausa',
    fresh: 'Sin ejecutar',
  },
  ran: (ago) => `Última ejecución: ${ago}`,
  never: 'Sin ejecutar todavía',
  next: (when) => `próxima ejecución: ${when}`,
  noNext: 'no se ejecuta mientras está en pausa',
  run: 'Ejecutar ahora',
  pause: 'Pausar',
  resume: 'Reanudar',
  actionsOf: (name) => `Acciones de ${name}`,
  delete: 'Eliminar',
  follow: 'Seguir la ejecución',
  look: 'Ver qué ocurrió',
  failed: {
    run: (name) => `No se ha iniciado ${name}`,
    pause: (name) => `No se ha pausado ${name}`,
    resume: (name) => `No se ha reanudado ${name}`,
    delete: (name) => `No se ha eliminado ${name}`,
    resync: (name) => `No se ha vuelto a enviar ${name}`,
    backfill: (name) => `${name} no ha empezado a completar estos días`,
    save: 'No se ha guardado el cambio',
  },
  done: {
    pause: (name) => `${name} está en pausa`,
    pauseText:
      'Vuelve a ejecutarse cuando usted la reanude. Si había una ejecución en curso, se ha cancelado.',
    resume: (name) => `Sincronización reanudada: ${name}`,
    resumeText: 'Se ejecuta en su próxima hora programada o cuando usted la ejecute.',
    run: (name) => `${name} está en curso`,
    runText: 'Las filas nuevas y cambiadas llegan al destino durante la ejecución.',
  },
  deleting: {
    title: (name) => `¿Eliminar ${name}?`,
    does: 'Esta acción no se puede deshacer. Tendrá estos efectos:',
    history: 'eliminar la sincronización con su configuración y su historial de ejecuciones',
    stops: 'poner fin a la ejecución en curso, si la hay',
    stays: (where) =>
      `Las filas que se entregaron permanecen en ${where}, al igual que el destino y los conjuntos de reglas.`,
    again:
      'Si más adelante configura otra sincronización con el mismo destino, encontrará las filas por sus identificadores y no añadirá ninguna dos veces, siempre que el destino permita buscarlas.',
  },
};

export const ATTENTION: typeof english.ATTENTION = {
  destination_auth_expired: {
    title: 'El destino ya no acepta el inicio de sesión',
    text: 'No se entrega nada hasta que lo vuelva a conectar. Entonces se entregan las filas en espera; no se pierde ninguna.',
    action: 'Volver a conectarlo',
  },
  destination_resource_missing: {
    title: 'El lugar donde escribe esta sincronización ya no existe',
    text: 'La hoja de cálculo, la pestaña, la tabla o el presupuesto se eliminó o ya no se comparte. Restáurelo allí o elija otra ubicación.',
    action: 'Elegir otra ubicación',
  },
  destination_disabled: {
    title: 'El destino se desactivó tras demasiados fallos',
    text: 'Compruebe lo que recibe las filas y después vuelva a activar el destino.',
    action: 'Ir al destino',
  },
  connection_lost: {
    title: 'Se eliminó un banco del que lee esta sincronización',
    text: 'Quite sus cuentas de la sincronización, o vuelva a vincular el banco y elija sus cuentas.',
    action: 'Cambiar las cuentas',
  },
  consent_expired: {
    title: 'Ha terminado el consentimiento de un banco del que lee esta sincronización',
    text: 'Renuévelo en el banco. La próxima ejecución lee entonces todo lo ocurrido entretanto.',
    action: 'Renovar el consentimiento',
  },
  account_unavailable: {
    title: 'El banco ya no muestra una cuenta de esta sincronización',
    text: 'Puede estar cerrada o haber dejado de compartirse. Quítela de la sincronización o vuelva a compartirla en el banco.',
    action: 'Cambiar las cuentas',
  },
  data_invalid: {
    title: 'El banco envió algo que no concuerda con lo que envió antes',
    text: 'No se ha quitado nada en el destino. Cada día se vuelve a leer todo hasta que concuerde; no tiene que hacer nada.',
    action: 'Ver la última ejecución',
  },
  run_failed: {
    title: 'La última ejecución falló',
    text: 'Se reintenta automáticamente. Vea qué ocurrió o ejecútela ahora.',
    action: 'Ejecutar ahora',
  },
};

export const SYNC_WARNINGS: typeof english.SYNC_WARNINGS = {
  same_account_twice: {
    title: 'Una cuenta bancaria está más de una vez en esta sincronización',
    text: (names) =>
      `${listText(names)} son la misma cuenta en el banco, vinculada más de una vez. Cada uno de sus movimientos se entrega una vez por cada una de ellas. Si no lo desea, quite de la sincronización todas menos una.`,
    action: 'Cambiar las cuentas',
  },
};

export const SYNC: typeof english.SYNC = {
  overview: 'Resumen',
  from: 'Origen',
  to: 'Destino',
  schedule: 'Programación',
  last: 'Última ejecución',
  next: 'Próxima ejecución',
  since: 'Filas desde',
  sinceDay: (day) => `Filas desde el ${day}`,
  ruleset: 'Reglas',
  noRuleset: 'Ninguna',
  paused: 'En pausa',
  anyTime: 'Sin programar',
  history: 'Historial de ejecuciones',
  historyAside: 'Los últimos 90 días',
  allRuns: 'Todas',
  filter: 'Mostrar ejecuciones',
  noRuns: 'Esta sincronización aún no se ha ejecutado.',
  noRunsOf: 'No hay ejecuciones de esta clase en los últimos 90 días.',
  settings: 'Configuración',
  change: 'Cambiar',
  changeOf: (what) => `Cambiar ${what.toLowerCase()}`,
  name: 'Nombre',
  nameMissing: 'Escriba un nombre.',
  accounts: 'Cuentas',
  accountsAndPlaces: 'Cuentas y adónde van',
  categories: 'Correspondencia de categorías',
  columns: 'Columnas',
  options: 'Qué se copia',
  standardColumns: 'Las columnas estándar',
  categoriesMapped: (count) =>
    count === 0 ? 'Ninguna asignada' : counted(count, 'categoría asignada', 'categorías asignadas'),
  fixed:
    'No se puede cambiar qué se copia, el destino ni si las cuentas tienen lugares propios. Para cambiarlo, elimine esta sincronización y cree otra.',
  saved: 'Guardado',
  savedText: 'La próxima ejecución tiene en cuenta el cambio.',
  more: 'Más',
  tools: 'Comprobar y reparar',
  toolsText: {
    dryRun: '¿Qué haría la próxima ejecución? Lee en el banco y no escribe nada.',
    verify: '¿Muestra el destino lo que tiene el banco? Compara fila por fila y no escribe nada.',
    backfill: 'Vuelve a leer algunos días y entrega lo que falta o ha cambiado en ellos.',
    resync: 'Olvida lo que se entregó y envía todo de nuevo.',
    export: 'Guarda las filas en un archivo, tal como las entrega esta sincronización.',
  },
  dryRun: 'Simulación',
  verify: 'Verificar',
  backfill: 'Completar días',
  resync: 'Resincronizar',
  export: 'Exportar',
};

export const RESYNC: typeof english.RESYNC = {
  title: (name) => `¿Enviar de nuevo todas las filas de ${name}?`,
  does: (day) => `Todo desde el ${day} se lee en el banco y se envía de nuevo:`,
  known:
    'Las filas que están en el destino se encuentran por su identificador y se sobrescriben. Se pierden los cambios que usted hizo en las columnas de esta sincronización.',
  webhook:
    'El webhook recibe todas las filas de nuevo. Un receptor que no recuerda los identificadores las tendrá dos veces.',
  run: 'Si hay una ejecución en curso, primero termina.',
  action: 'Enviar todo de nuevo',
};

export const BACKFILL: typeof english.BACKFILL = {
  title: 'Completar días',
  intro: 'Vuelve a leer estos días en el banco y entrega las filas que faltan o han cambiado. No quita nada.',
  from: 'Desde',
  to: 'Hasta',
  hint: (day) => `No antes del ${day}, el primer día de esta sincronización.`,
  order: 'El primer día no puede ser posterior al último.',
  action: 'Completar estos días',
};

export const EXPORT: typeof english.EXPORT = {
  title: 'Exportar filas',
  intro:
    'Se leen de su banco en el momento, después de aplicar categorías y reglas, tal como las entrega esta sincronización.',
  format: 'Formato',
  formats: {
    csv: 'CSV, para hojas de cálculo',
    ofx: 'OFX, para programas de contabilidad',
    ofx1: 'OFX 1.02, para programas que no leen versiones posteriores',
    qif: 'QIF, para programas que no leen OFX',
    jsonl: 'JSON Lines, para programas',
  },
  from: 'Desde',
  to: 'Hasta',
  fromHint: 'En blanco: desde el primer día de la sincronización',
  toHint: 'En blanco: hasta hoy',
  bom: 'Marcar el archivo como UTF-8 (para versiones antiguas de Excel)',
  action: 'Descargar',
  reading: (size) => `Leyendo… ${size} hasta ahora`,
  stop: 'Detener',
  done: (name) => `Archivo descargado: ${name}`,
  failed: 'No se ha podido leer el archivo completo, por lo que no se ha guardado nada',
};

export const RUN_CHART: typeof english.RUN_CHART = {
  label: (count) => (count === 1 ? 'La última ejecución' : `Las últimas ${count} ejecuciones`),
  description: (count, failed, most, longest) =>
    `${counted(count, 'ejecución', 'ejecuciones')}, ${failed === 0 ? 'ninguna fallida' : counted(failed, 'fallida', 'fallidas')}. Como máximo ${counted(most, 'fila', 'filas')} y ${longest} en una ejecución.`,
  run: (at, status, rows, duration) => `${at}: ${status}, ${counted(rows, 'fila', 'filas')}, ${duration}`,
  rows: 'Filas',
  duration: 'Duración',
  started: 'Inicio',
  status: 'Estado',
  mark: '×',
};

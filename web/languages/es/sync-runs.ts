import type { RefusedReason, SetAsideField, SetAsideReason } from '../../../src/vocabulary/set-aside-rows.ts';
import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/sync-runs.ts';

const added = (count: number) => counted(count, 'fila añadida', 'filas añadidas');
const updated = (count: number) => counted(count, 'fila actualizada', 'filas actualizadas');

export const SYNC_RUN: typeof english.SYNC_RUN = {
  unknownFailure: (code) => `No se ha podido leer (${code}).`,
  title: (name) => `Ejecución de ${name}`,
  plainTitle: 'Ejecución',
  back: 'Sincronizaciones',
  status: {
    queued: 'En espera',
    running: 'En curso',
    succeeded: 'Completada',
    failed: 'Fallida',
    cancelled: 'Cancelada',
  },
  trigger: {
    schedule: 'según la programación',
    api: 'por la API',
    dashboard: 'iniciada aquí',
    webhook: 'a petición del banco',
    resync: 'resincronización',
  },
  started: 'Inicio',
  ended: 'Fin',
  took: 'Duración',
  by: 'Origen',
  days: 'Días',
  range: (from, to) => `Del ${from} al ${to}`,
  queuedFor: 'En espera desde',
  live: 'En tiempo real',
  polling: 'Se actualiza cada pocos segundos',
  counts: 'Filas',
  count: {
    processed: 'Leídas',
    added: 'Añadidas',
    updated: 'Actualizadas',
    rejected: 'Rechazadas',
    skipped_by_rules: 'Omitidas por reglas',
  },
  rejectedText:
    'Las filas rechazadas no se han podido leer del banco, o el destino no las admite como están. Se vuelven a intentar cuando cambian.',
  accounts: 'Cuentas',
  account: {
    waiting: 'En espera',
    succeeded: 'Entregada',
    failed: 'Fallida',
    incomplete: 'Incompleta',
  },
  incompleteText:
    'Aún no se ha entregado por completo: la ejecución terminó antes o el banco todavía está cargando su historial. La próxima ejecución continúa.',
  unchanged: 'Nada nuevo',
  rejected: (rows) => counted(rows, 'fila rechazada', 'filas rechazadas'),
  othersUpToDate: 'Todo lo demás ya estaba al día.',
  line: (addedRows, updatedRows) =>
    [addedRows === 0 ? '' : added(addedRows), updatedRows === 0 ? '' : updated(updatedRows)]
      .filter((part) => part !== '')
      .join(', '),
  read: (rows) => counted(rows, 'fila leída', 'filas leídas'),
  progress: {
    queued: 'La ejecución espera su turno. Puede salir de esta página; la ejecución continúa.',
    running: 'Las filas se leen del banco y se entregan. Puede salir de esta página; la ejecución continúa.',
  },
  cancel: 'Cancelar la ejecución',
  cancelFailed: 'No se ha cancelado la ejecución',
  cancelled:
    'Esta ejecución se canceló. Lo que había entregado hasta entonces cuenta; la próxima ejecución continúa desde ahí.',
  succeeded: (addedRows, updatedRows) =>
    addedRows + updatedRows === 0
      ? 'Todo estaba ya al día.'
      : `${[added(addedRows), ...(updatedRows === 0 ? [] : [updated(updatedRows)])].join(', ')}.`,
  rows: (where) => `Abrir ${where}`,
  deliveries: 'Entregas de este webhook',
  destination: 'Ir al destino',
  sync: 'Ir a la sincronización',
  runAgain: 'Volver a ejecutar',
  noLines: 'Aún no se ha leído ninguna cuenta.',
};

export const RUN_FAILURES_TEXT: typeof english.RUN_FAILURES_TEXT = {
  destination_auth_failed: {
    title: 'El destino ya no acepta el inicio de sesión',
    text: 'La autorización se retiró o caducó allí. Vuelva a conectar el destino; la próxima ejecución entrega lo que está en espera.',
  },
  destination_resource_missing: {
    title: 'El lugar donde escribe la sincronización ya no existe',
    text: 'La hoja de cálculo, la pestaña, la tabla o el presupuesto se eliminó, cambió de nombre o ya no se comparte. Restáurelo allí o elija otra ubicación, y después vuelva a ejecutar la sincronización.',
  },
  rate_limited: {
    title: 'El destino o el banco no permitió más solicitudes',
    text: 'La ejecución se detuvo y se reintenta automáticamente. Lo que se entregó sigue entregado.',
  },
  timeout: {
    title: 'La ejecución tardó demasiado',
    text: 'Se reintenta automáticamente y continúa desde lo entregado. Si ocurre otra vez, copie menos cuentas o elija un primer día posterior.',
  },
  superseded: {
    title: 'Una resincronización ocupó su lugar',
    text: 'Alguien pidió enviar todo de nuevo, lo que puso fin a esta ejecución. No tiene que hacer nada.',
  },
  run_failed: {
    title: 'La ejecución falló',
    text: 'Un banco no se pudo leer o el destino no aceptó las filas. Las líneas de las cuentas de abajo dan más detalles. Se reintenta automáticamente.',
  },
};

export const ACCOUNT_FAILURES: typeof english.ACCOUNT_FAILURES = {
  upstream_auth_failed:
    'El banco ya no acepta el inicio de sesión o el consentimiento ha terminado. Renueve la conexión.',
  upstream_rate_limited: 'El banco no permite más solicitudes por ahora. Se reintenta automáticamente.',
  upstream_timeout: 'El banco tardó demasiado en responder. Se reintenta automáticamente.',
  upstream_unavailable: 'El banco no está disponible ahora. Se reintenta automáticamente.',
  upstream_failed: 'El banco informó de un error propio. Se reintenta automáticamente.',
  upstream_bad_request: 'El banco rechazó la solicitud. Si ocurre otra vez, revise la conexión.',
  provider_wait: 'El banco pidió esperar antes de volver a leerlo. Se reintenta automáticamente.',
  gateway_unavailable: 'La conexión con el banco no estaba disponible. Se reintenta automáticamente.',
  account_unavailable:
    'El banco ya no muestra esta cuenta. Quítela de la sincronización o vuelva a compartirla en el banco.',
  professional_required: 'Su plan no incluye posiciones ni operaciones.',
  resource_missing: 'La cuenta ya no está aquí. Quítela de la sincronización.',
  internal_error: 'Ha ocurrido algo inesperado en el servicio. Se reintenta automáticamente.',
};

interface Field {
  readonly name: string;
  readonly feminine: boolean;
}

const FIELDS: Readonly<Record<SetAsideField, Field>> = {
  id: { name: 'identificador', feminine: false },
  account: { name: 'cuenta', feminine: true },
  amount: { name: 'importe', feminine: false },
  currency: { name: 'moneda', feminine: true },
  date: { name: 'fecha', feminine: true },
  trade_date: { name: 'fecha', feminine: true },
  symbol: { name: 'valor', feminine: false },
  quantity: { name: 'cantidad', feminine: true },
  price: { name: 'precio', feminine: false },
  total_amount: { name: 'importe', feminine: false },
  row: { name: 'fila', feminine: true },
};

const the = ({ name, feminine }: Field) => `${feminine ? 'la' : 'el'} ${name}`;

const REASONS: Readonly<Record<SetAsideReason, (what: Field) => string>> = {
  missing: (what) => `El banco no envió ${the(what)}.`,
  unreadable: (what) => `No se puede leer ${the(what)} que envió el banco.`,
  out_of_range: (what) => `El banco envió ${the(what)} fuera del intervalo admitido.`,
  too_long: (what) => `El banco envió ${the(what)} con demasiados caracteres.`,
  contradictory: (what) => `El banco envió dos valores distintos para ${the(what)}.`,
  other_account: () => 'La fila menciona otra cuenta.',
};

const REFUSED: Readonly<Record<RefusedReason, string>> = {
  amount_not_taken: 'El importe tiene más dígitos o decimales de los que admite el destino.',
  other_currency: 'La moneda no es la del destino.',
  day_not_taken: 'El destino no admite la fecha.',
  too_large: 'La fila es más grande de lo que admite el destino.',
  refused: 'El destino rechazó la fila.',
};

const refused = new Map<string, string>(Object.entries(REFUSED));
const words = new Map<string, (what: Field) => string>(Object.entries(REASONS));
const fields = new Map<string, Field>(Object.entries(FIELDS));

export const REJECTED_ROWS: typeof english.REJECTED_ROWS = {
  title: 'Filas rechazadas',
  dismiss: 'No mostrarlas más en Inicio',
  dismissed: 'Inicio ya no muestra estas filas',
  dismissedText: 'En este navegador, y hasta que una ejecución rechace otras filas.',
  noDay: 'Sin fecha',
  noId: 'Sin identificador',
  why: ({ origin, field, reason }) => {
    if (origin === 'destination') return refused.get(reason) ?? REFUSED.refused;
    return (words.get(reason) ?? REASONS.unreadable)(fields.get(field ?? 'row') ?? FIELDS.row);
  },
  more: (count) =>
    count === 1
      ? `Hay ${counted(count, 'fila más', 'filas más')} que no se muestra aquí.`
      : `Hay ${counted(count, 'fila más', 'filas más')} que no se muestran aquí.`,
};

import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/webhook-deliveries.ts';

export const DELIVERIES: typeof english.DELIVERIES = {
  title: 'Entregas',
  aside: 'Los últimos eventos, sin el contenido de las filas',
  none: 'Aún no se ha enviado nada. Los eventos aparecen aquí cuando se ha ejecutado una sincronización.',
  noneOfStatus: 'Ninguna entrega de la lista terminó así.',
  filter: 'Mostrar entregas',
  filters: { all: 'Todas', failed: 'Fallidas', succeeded: 'Correctas' },
  status: { succeeded: 'Entregado', failed: 'Fallido' },
  types: { 'transactions.synced': 'Movimientos', 'trades.synced': 'Operaciones' },
  rows: (added, updated, removed) =>
    [
      counted(added, 'fila nueva', 'filas nuevas'),
      ...(updated === 0 ? [] : [`${updated} ${updated === 1 ? 'actualizada' : 'actualizadas'}`]),
      ...(removed === 0 ? [] : [`${removed} ${removed === 1 ? 'eliminada' : 'eliminadas'}`]),
    ].join(', '),
  attempts: (count) => counted(count, 'intento', 'intentos'),
  duration: (ms) => `${ms} ms`,
  show: 'Mostrar los intentos',
  event: 'Identificador del evento',
  run: 'Ejecución',
  attempt: (number) => `Intento ${number}`,
  answered: (code) => `HTTP ${code}`,
  failures: {
    timeout: 'Sin respuesta a tiempo',
    connection: 'Sin conexión',
    refused_address: 'Dirección no permitida',
    answer_too_large: 'Respuesta demasiado grande',
  },
  answer: 'Qué respondió',
  latestAttempts: (count) => `Los últimos ${count} intentos`,
  again: 'Volver a enviar',
  againOf: (event) => `Volver a enviar: evento ${event}`,
  resend: {
    title: '¿Volver a enviar este evento?',
    text: 'Tributary lee sus filas del banco como están ahora, aplica sus reglas y categorías, y las envía en un evento nuevo. Todas las filas están en data.new.',
    upsert:
      'Su receptor debería almacenar las filas por su identificador, para que ninguna se duplique. No cambia nada para las ejecuciones posteriores.',
    action: 'Volver a enviar',
    failed: 'No se ha vuelto a enviar el evento',
    working: 'Leyendo el banco y enviando. Puede dejar esta página abierta; esto puede tardar unos minutos.',
  },
  window: {
    open: 'Volver a enviar días',
    title: 'Volver a enviar un intervalo de días',
    text: 'Todo lo que se entregó para estos días se lee del banco y se envía de nuevo, en eventos nuevos. Ambos días están incluidos.',
    sync: 'Sincronización',
    from: 'Primer día',
    to: 'Último día',
    order: 'El primer día va antes del último.',
    missing: 'Elija un día.',
    action: 'Volver a enviar',
    failed: 'No se han vuelto a enviar los días',
  },
  sent: {
    title: 'Enviado de nuevo',
    partial: 'Enviado de nuevo en parte',
    text: (sent, deliveries) =>
      `Su receptor aceptó ${counted(sent, 'fila', 'filas')} en ${counted(deliveries, 'evento', 'eventos')}.`,
    missing: (count) =>
      ` ${counted(count, 'fila ya no existe en el banco o queda', 'filas ya no existen en el banco o quedan')} fuera por una regla.`,
    undelivered: (count) => ` La próxima ejecución envía ${counted(count, 'fila más', 'filas más')}.`,
    failure: (code) => ` Se detuvo antes de tiempo: ${code}.`,
  },
};

import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/home.ts';

export const HOME: typeof english.HOME = {
  title: 'Inicio',
  balances: 'Saldos',
  observed: (ago) => `Datos consultados ${ago}`,
  net: (currency) => `Saldos en ${currency}, menos las deudas`,
  noBalance: 'Sin saldo',
  investments: 'Inversiones',
  investmentsText: 'Según los precios actuales de los brókeres; no se cuenta el efectivo en un bróker.',
  investmentsLocked:
    'Su plan no incluye datos de inversión, por lo que aquí no se cuenta lo que tiene en brókeres.',
  notRead: (count) =>
    count === 1
      ? `Hay ${counted(count, 'cuenta más', 'cuentas más')} que no se lee aquí; consulte las posiciones.`
      : `Hay ${counted(count, 'cuenta más', 'cuentas más')} que no se leen aquí; consulte las posiciones.`,
  holdings: 'Ver las posiciones',
  unavailable: 'Ahora no se puede leer',
  lacks: (accounts) =>
    `Sin ${listText(accounts)}, que ahora no se ${accounts.length === 1 ? 'puede' : 'pueden'} leer.`,
  none: 'Le damos la bienvenida a Tributary',
  noneText:
    'Vincule un banco para ver aquí sus saldos y copiar sus movimientos al lugar donde trabaja con ellos.',
  begin: 'Mostrarme cómo',
  allUnavailable: 'En este momento no se ha podido leer ninguna de sus cuentas.',
  attention: 'Requiere su atención',
  attentionCount: (count) => counted(count, 'asunto', 'asuntos'),
  showAll: (count) => `Mostrar todo (${count})`,
  showFewer: 'Mostrar menos',
  sign: {
    notCounted: 'Sin contar todavía',
    question:
      '¿Es lo que usted debe o es un saldo a su favor? Su banco no lo indica; hasta que usted lo haga, no se cuenta.',
    owed: 'Lo debo',
    in_credit: 'Es a mi favor',
    of: (answer, account) => `${answer}: ${account}`,
    failed: 'No se ha guardado la respuesta',
  },
  runs: 'Ejecuciones recientes',
  noRuns: 'Aún no se ha ejecutado ninguna sincronización.',
  createSync: 'Copiar sus cuentas al lugar donde trabaja con ellas',
  run: {
    queued: 'En espera',
    running: 'En curso',
    succeeded: 'Completada',
    failed: 'Fallida',
    cancelled: 'Cancelada',
  },
  delivered: (added, updated) =>
    added === 0 && updated === 0
      ? 'Nada nuevo'
      : [
          counted(added, 'fila añadida', 'filas añadidas'),
          ...(updated === 0 ? [] : [counted(updated, 'fila actualizada', 'filas actualizadas')]),
        ].join(', '),
  runRejected: (count) => counted(count, 'fila rechazada', 'filas rechazadas'),
  connection: {
    expiring: (days) =>
      days < 1
        ? 'El consentimiento termina hoy'
        : `El consentimiento termina en ${counted(days, 'día', 'días')}`,
    expired: 'El consentimiento ha terminado; ya no se lee nada',
    invalidated: 'El acceso concedido ya no funciona',
  },
  sync: {
    destination_auth_expired: 'El destino ya no acepta el inicio de sesión',
    destination_resource_missing: 'El lugar donde escribe ya no existe en el destino',
    destination_disabled: 'El destino se desactivó tras demasiados fallos',
    connection_lost: 'Se eliminó un banco del que lee',
    consent_expired: 'Ha terminado el consentimiento de un banco del que lee',
    account_unavailable: 'El banco ya no muestra una cuenta de la que lee',
    data_invalid: 'El banco envió algo que no se puede leer',
    run_failed: 'La última ejecución falló',
  },
  linkedTwice: (name, more) =>
    more === 0
      ? `${name} está vinculada dos veces`
      : `${name} y ${counted(more, 'cuenta más', 'cuentas más')} están vinculadas dos veces`,
  linkedTwiceText:
    'Los totales la cuentan una sola vez. Elimine esta segunda conexión si no necesita las dos.',
  rejected: (count) =>
    count === 1
      ? 'No se pudo entregar 1 fila de la última ejecución'
      : `No se pudieron entregar ${count} filas de la última ejecución`,
  unread: (count) =>
    counted(
      count,
      'fila no se pudo leer y falta en las cifras',
      'filas no se pudieron leer y faltan en las cifras',
    ),
  seeRows: 'Ver el motivo',
  destination: {
    incomplete: 'Sin configurar todavía',
    reauth_required: 'El destino ya no acepta el inicio de sesión; no se escribe nada en él',
    disabled: 'Desactivado tras demasiadas entregas fallidas; no se le envía nada',
  },
  events: {
    failing: 'Ya no se envían eventos: sus entregas fallaron durante días',
    gone: 'Ya no se envían eventos: respondió que ya no existe',
  },
  runAgain: 'Volver a ejecutar',
  open: 'Abrir',
  finish: 'Terminar',
  connect: 'Volver a conectar',
  enable: 'Volver a activar',
  notConnected: (name) => `Ahora no se puede conectar ${name}`,
  notEnabled: (name) => `No se ha activado ${name}`,
  failed: (name) => `No se ha iniciado ${name}`,
};

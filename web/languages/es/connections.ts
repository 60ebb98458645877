import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/connections.ts';

export const CONNECTIONS: typeof english.CONNECTIONS = {
  title: 'Conexiones',
  link: 'Vincular un banco',
  none: 'Aún no hay bancos vinculados',
  noneText:
    'Vincule un banco o un bróker una sola vez. Antes de que se comparta nada, verá quién lo recibe y qué recibe, y podrá ponerle fin en cualquier momento.',
  actionsOf: (bank) => `Acciones de ${bank}`,
  reauthorize: 'Renovar la autorización',
  refresh: 'Actualizar',
  delete: 'Eliminar',
  open: 'Detalles y consentimientos',
  accounts: (count) => counted(count, 'cuenta', 'cuentas'),
  noAccounts: 'Aún no se ha recibido ninguna cuenta.',
  settling: 'Recibiendo la lista de cuentas…',
  refreshed: (ago) => `Actualizada ${ago}`,
  neverRefreshed: 'Sin actualizar todavía',
  until: (day) => `Consentimiento hasta: ${day}`,
  endless: 'Consentimiento sin fecha de fin',
  unavailable: 'Ya no aparece en el banco',
  linkedTwice: 'Vinculada dos veces',
  countedOnce: 'vinculada dos veces, contada una vez',
  notInTotals: 'no cuenta en los totales',
  status: {
    pending: 'En preparación',
    active: 'Conectada',
    expiring: 'Caduca pronto',
    expired: 'Consentimiento caducado',
    revoked: 'Eliminada',
  },
  daysLeft: (days) => (days < 1 ? 'Caduca hoy' : `Caduca en ${counted(days, 'día', 'días')}`),
  type: {
    transaction: 'Cuenta corriente',
    savings: 'Ahorro',
    'credit-card': 'Tarjeta de crédito',
    loan: 'Préstamo',
    investment: 'Inversión',
    'term-deposit': 'Depósito a plazo',
    other: 'Otra',
  },
  refreshing: {
    justNow: (bank) => `${bank}: se ha vuelto a leer ahora mismo`,
    recent: (ago, again) => `Actualizada ${ago}. Se puede volver a consultar al banco ${again}.`,
    balances: (read, all) =>
      read === all
        ? `${counted(read, 'saldo leído', 'saldos leídos')}.`
        : `Saldos leídos: ${read} de ${all}.`,
    runs: (runs) =>
      runs === 0
        ? 'Ninguna sincronización activa lee este banco.'
        : `${counted(runs, 'sincronización iniciada', 'sincronizaciones iniciadas')}. Si hay una ejecución en curso, continúa.`,
  },
  failed: {
    reauthorize: (bank) => `Ahora no se puede renovar la autorización de ${bank}`,
    refresh: (bank) => `No se ha actualizado ${bank}`,
    delete: (bank) => `No se ha eliminado ${bank}`,
  },
  deleting: {
    title: (bank) => `¿Eliminar ${bank}?`,
    does: 'Esta acción no se puede deshacer. Tendrá estos efectos:',
    accounts: (count) => `quitar ${counted(count, 'cuenta', 'cuentas')} de Tributary`,
    stops: (names) =>
      `detener ${names.length === 1 ? 'la sincronización' : 'las sincronizaciones'} ${names.join(', ')}`,
    looking: 'detener las sincronizaciones que lo leen; buscando cuáles son…',
    unknown: 'detener todas las sincronizaciones que lo leen',
    syncsFailed: 'No se ha podido averiguar qué sincronizaciones lo leen',
    stays: 'Lo que se entregó a sus destinos permanece allí.',
  },
};

export const LINKED: typeof english.LINKED = {
  bank: 'banco',
  completed: (what) => `Su ${what.toLowerCase()} está vinculado`,
  completedText: 'Sus cuentas aparecerán abajo en cuanto se reciba la lista.',
  twice: 'Estas cuentas ya están vinculadas',
  twiceText:
    'Otra conexión también las incluye. Los totales las cuentan una sola vez; elimine una de las dos si no necesita ambas.',
  failed: (what) => `No se ha vinculado su ${what.toLowerCase()}`,
  unknown: 'No se ha compartido nada. Puede volver a empezar en cualquier momento.',
  reasons: {
    consent_denied: 'Se ha denegado el consentimiento en el banco. No se ha compartido nada.',
    cancelled: 'Usted ha cancelado el proceso. No se ha compartido nada.',
    authentication_failed: 'No ha sido posible iniciar sesión en el banco. No se ha compartido nada.',
    timeout: 'El banco ha tardado demasiado en responder. Inténtelo de nuevo en unos minutos.',
    institution_error: 'El banco ha informado de un error propio. Inténtelo de nuevo más tarde.',
    not_eligible: 'El banco no ofrece esta opción para sus cuentas.',
    session_expired: 'La vinculación ha tardado más de 30 minutos. Vuelva a empezar.',
    connection_limit: 'Su plan no tiene conexiones libres. Elimine una o cambie de plan.',
    connection_deleted: 'Entretanto, la conexión se ha eliminado.',
    too_many_attempts: 'La página del otro servicio se ha abierto demasiadas veces. Vuelva a empezar aquí.',
    institution_mismatch:
      'Ha iniciado sesión en un banco distinto de aquel cuya autorización quería renovar.',
  },
};

export const OTHER_BANK: typeof english.OTHER_BANK = {
  title: (linked, chosen) => `Se ha vinculado ${linked}, no ${chosen}`,
  text: (chosen, through) =>
    `Usted eligió ${chosen}, pero se seleccionó otro banco a través de ${through}. Vincule también ${chosen} o déjelo como está.`,
  link: (chosen) => `Vincular ${chosen}`,
  keep: 'Dejarlo como está',
  failed: 'No ha funcionado',
};

export const NEW_CONNECTION: typeof english.NEW_CONNECTION = {
  title: 'Vincular un banco',
  intro: 'Elija su banco o su bróker. Antes de que se comparta nada, verá quién lo recibe y qué recibe.',
  search: 'Buscar por nombre',
  ways: (count) => `${count} formas de vincularlo`,
  choose: (bank) => `Cómo vincular ${bank}`,
  called: (way, bank) => `${way} (${bank})`,
  outage: 'Sin servicio en este momento',
  closed: 'No se ofrece',
  results: (count) => counted(count, 'institución', 'instituciones'),
  none: 'No se ha encontrado ninguna institución',
  noneText: (text) => `No hay ninguna que se llame «${text}». Pruebe con una parte del nombre.`,
  nothing: 'No hay ningún proveedor configurado, por lo que aún no hay nada que vincular.',
  failed: (bank) => `Ahora no se puede abrir ${bank}`,
};

export const CONNECTION: typeof english.CONNECTION = {
  accounts: 'Cuentas',
  consents: 'Consentimientos',
  consentsAside: 'Todos los consentimientos que ha tenido esta conexión',
  noConsents: 'No hay ningún consentimiento registrado.',
  ends: 'Termina',
  ended: 'Terminó',
  shares: 'Comparte',
  status: 'Estado',
  reason: 'Motivo',
  never: 'Sin fecha de fin',
  consentStatus: {
    active: 'Activo',
    expiring: 'Caduca pronto',
    expired: 'Caducado',
    withdrawn: 'Retirado',
  },
};

import { counted, listText } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/destinations.ts';

export const DESTINATIONS: typeof english.DESTINATIONS = {
  title: 'Destinos',
  add: 'Añadir un destino',
  none: 'Aún no hay destinos',
  noneText:
    'Un destino es el lugar al que una sincronización copia sus movimientos: una hoja de cálculo, una base de datos, una aplicación de presupuesto o un servidor propio.',
  noTarget: 'Aún no se ha elegido dónde escribir',
  tab: (spreadsheet, tab) => `${spreadsheet} · ${tab}`,
  status: {
    active: 'Activo',
    incomplete: 'Sin terminar',
    reauth_required: 'Requiere iniciar sesión',
    disabled: 'Desactivado',
  },
  noSync: 'Ninguna sincronización escribe aquí',
  writtenBy: (names) => `Escriben aquí: ${names.join(', ')}`,
  syncs: (count) => counted(count, 'sincronización escribe aquí', 'sincronizaciones escriben aquí'),
  finish: 'Terminar la configuración',
  signIn: 'Volver a iniciar sesión',
  newSecret: 'Actualizar el secreto',
  enable: 'Activar',
  actionsOf: (name) => `Acciones de ${name}`,
  details: 'Abrir',
  failed: {
    link: (name) => `Ahora no se puede abrir el inicio de sesión de ${name}`,
    enable: (name) => `No se ha activado ${name}`,
    rename: (name) => `No se ha cambiado el nombre de ${name}`,
    delete: (name) => `No se ha eliminado ${name}`,
    rotate: 'No se ha reemplazado el secreto de firma',
    secret: 'No se ha aceptado el secreto nuevo',
    address: 'No se ha cambiado la dirección',
  },
};

export const RETURNED: typeof english.RETURNED = {
  completed: 'Ha iniciado sesión',
  completedText: 'Tributary ya puede escribir allí, hasta que usted retire el acceso aquí o allí.',
  finding: 'Terminando el inicio de sesión…',
  unknownLink: 'El destino nuevo está en la lista. Ábralo para elegir dónde escribe.',
  failed: 'No se ha conectado nada',
  unknown: 'No se ha compartido nada. Puede volver a empezar en cualquier momento.',
  reasons: {
    access_denied:
      'Se denegó el acceso allí, por lo que no se ha compartido nada. Puede volver a empezar en cualquier momento.',
    cancelled: 'Usted ha cancelado el proceso. No se ha compartido nada.',
    session_expired: 'El inicio de sesión ha tardado más de 30 minutos. Vuelva a empezar.',
    destination_deleted: 'Entretanto, el destino se ha eliminado.',
  },
};

export const DESTINATION: typeof english.DESTINATION = {
  facts: 'Detalles',
  type: 'Tipo',
  writesTo: 'Escribe en',
  open: (vendor) => `Abrir en ${vendor}`,
  status: 'Estado',
  takes: 'Admite',
  holds: { transactions: 'movimientos', holdings: 'posiciones', trades: 'operaciones' },
  columns: 'Columnas',
  columnsOfSync: 'Se eligen en la sincronización que escribe aquí',
  added: 'Añadido',
  changed: 'Último cambio',
  syncs: 'Sincronizaciones que escriben aquí',
  noSync: 'Aún no hay ninguna sincronización que escriba aquí.',
  neverSynced: 'Sin ejecutar todavía',
  lastSynced: (ago) => `Última ejecución: ${ago}`,
  syncStatus: { idle: 'Inactiva', running: 'En curso', attention: 'Requiere atención' },
  setUpSync: 'Configurar una sincronización',
  ready: 'Listo para recibir datos',
  readyText: 'Configure una sincronización para copiar allí sus cuentas.',
  target: 'Elija dónde escribe',
  targetAside: 'El último paso',
  rename: 'Cambiar el nombre',
  name: 'Nombre',
  nameMissing: 'Escriba un nombre.',
  changeTarget: 'Cambiar dónde escribe',
  changeTargetText:
    'Ninguna sincronización escribe aquí, por lo que se puede cambiar. Lo que se escribió antes permanece donde está.',
  targetFixed: (names) =>
    `${names.length === 0 ? 'Una sincronización ya escribe' : `${listText(names)} ya ${names.length === 1 ? 'escribe' : 'escriben'}`} aquí. Tributary recuerda qué filas ha entregado, por lo que en otro lugar faltarían. Para escribir en otro lugar, añada otro destino y configure una sincronización con él.`,
  reauthorize: 'Volver a iniciar sesión',
  reauthorizeWhy: (vendor) =>
    `Inicie sesión en ${vendor}, vuelva a permitir el acceso y regrese aquí. Se conservan la ubicación, las sincronizaciones y las filas entregadas. La autorización que dio antes termina.`,
  reauthorizeText: (vendor) =>
    `${vendor} ya no acepta el inicio de sesión. Vuelva a iniciar sesión: se conservan la ubicación, las sincronizaciones y las filas entregadas.`,
  secretText: (vendor) =>
    `${vendor} ya no acepta el secreto. Introduzca uno nuevo: se conservan la ubicación, las sincronizaciones y las filas entregadas.`,
  replaceSecret: 'Actualizar el secreto',
  lapsed: 'No se puede escribir en él',
  disabled: 'Las entregas están detenidas',
  gone: 'Su receptor respondió 410 Gone, que indica a Tributary que se detenga. Cuando vuelva a estar listo, active el destino aquí. Entretanto no se pierde nada.',
  failing: (last) =>
    `Cinco ejecuciones seguidas han fallado a lo largo de al menos un día. ${last}Corrija el receptor y después active el destino aquí. Entretanto no se pierde nada.`,
  lastAnswer: (answer) => `Resultado del último intento: ${answer}. `,
  enabled: 'Vuelve a estar activo',
  enabledText: 'La próxima ejecución de su sincronización envía lo que estaba en espera.',
  renamed: 'Se ha cambiado el nombre',
  renamedText: 'Solo ha cambiado su nombre aquí.',
  moved: 'A partir de ahora escribe en la ubicación nueva',
  movedText: 'Lo que se escribió antes permanece donde está.',
  secretReplaced: 'Se ha aceptado el secreto nuevo',
  secretReplacedText: 'La próxima ejecución lo usa.',
  address: 'Cambiar la dirección',
  addressText:
    'A partir de la próxima entrega, los eventos van a la dirección nueva, firmados con el mismo secreto. Las filas ya entregadas no se envían de nuevo: reenvíe más abajo un intervalo de días o resincronice.',
  addressLabel: 'Dirección nueva',
  addressMissing: 'Introduzca una dirección.',
  delete: 'Eliminar',
  deleting: {
    title: (name) => `¿Eliminar ${name}?`,
    does: 'Esta acción no se puede deshacer. Tendrá estos efectos:',
    stops: (names) =>
      `eliminar ${names.length === 1 ? 'la sincronización' : 'las sincronizaciones'} ${names.join(', ')}, con el historial de ejecuciones`,
    stopsUnnamed: (count) =>
      `eliminar ${counted(count, 'sincronización que escribe en él', 'sincronizaciones que escriben en él')}, con el historial de ejecuciones`,
    stays: 'Todo lo que se escribió allí permanece. No se quita nada en el otro extremo.',
    running:
      'En este momento hay una ejecución que escribe en él. Espere a que termine o cancélela, y después vuelva a eliminar.',
  },
};

import { counted } from '../../src/format/numbers.ts';
import type * as english from '../../src/text/api-keys.ts';

const permissions = (count: number) => counted(count, 'permiso', 'permisos');

export const API_KEYS: typeof english.API_KEYS = {
  title: 'Claves de API',
  intro:
    'Un programa muestra su clave en cada solicitud. Asigne a cada programa una clave propia con los permisos que necesita y ninguno más: así podrá revocar una sin afectar a las demás.',
  all: 'Todas las claves',
  create: 'Crear una clave de API',
  none: 'Aún no hay claves de API',
  noneText: 'Cree una para leer sus cuentas o ejecutar sus sincronizaciones desde un programa propio.',
  status: { active: 'Activa', expiring: 'Reemplazada', revoked: 'Revocada', expired: 'Caducada' },
  stops: (moment) => `Deja de funcionar: ${moment}`,
  expires: (moment) => `Caduca: ${moment}`,
  addresses: (count) => `Desde ${counted(count, 'dirección', 'direcciones')}`,
  scopes: permissions,
  allScopes: 'Todos los permisos',
  createdBy: (who) => `Creada por ${who}`,
  makers: {
    operator: 'el operador',
    key: (name) => `la clave de API «${name}»`,
  },
  legacy: 'Creada antes de que existieran los permisos: lo lee todo y no cambia nada.',
  facts: {
    prefix: 'Empieza por',
    createdBy: 'Creada por',
    expires: 'Caduca',
    stops: 'Deja de funcionar',
    addresses: 'Funciona desde',
    anywhere: 'Cualquier dirección',
    replaces: 'Reemplaza a',
    metadata: 'Metadatos',
  },
  scopesTitle: 'Qué puede hacer',
  rotate: 'Renovar',
  revoke: 'Revocar',
  rotating: {
    title: (name) => `¿Renovar ${name}?`,
    text: 'Recibirá una clave nueva con el mismo nombre, permisos, direcciones y fecha de caducidad. Su secreto se muestra una sola vez.',
    grace: 'La clave anterior deja de funcionar',
    graces: {
      '0': 'de inmediato',
      '1h': 'en 1 hora',
      '24h': 'en 24 horas',
      '7d': 'en 7 días',
    },
    action: 'Renovar la clave',
  },
  revoking: {
    title: (name) => `¿Revocar ${name}?`,
    does: 'Esta acción no se puede deshacer. Tendrá estos efectos:',
    stop: (prefix) => `rechazar de inmediato todas las solicitudes con la clave ${prefix}…`,
    used: (ago) => `interrumpir lo que la usó por última vez ${ago}`,
    unused: 'no interrumpir nada que la haya usado: nunca se ha usado',
    keep: 'dejar como están sus otras claves y aplicaciones conectadas',
    action: 'Revocar la clave',
  },
  secret: {
    created: (name) => `Clave creada: ${name}`,
    rotated: (name) => `Clave renovada: ${name}`,
    once: 'Copie el secreto ahora. Se muestra solo esta vez y no se podrá volver a mostrar.',
    secret: 'Secreto',
    try: 'Probarla',
    tryLabel: 'Comando que usa la clave',
    done: 'Ya lo he copiado',
  },
  failed: {
    create: 'No se ha creado la clave',
    rename: 'No se ha cambiado el nombre',
    rotate: (name) => `No se ha renovado ${name}`,
    revoke: (name) => `No se ha revocado ${name}`,
  },
  revoked: (name) => `Clave revocada: ${name}`,
  revokedText: 'A partir de ahora se rechaza.',
};

export const NEW_API_KEY: typeof english.NEW_API_KEY = {
  title: 'Crear una clave de API',
  name: 'Nombre',
  nameHint: 'Qué la usará, para reconocerla más adelante: «Script del presupuesto en el servidor de casa».',
  scopes: 'Permisos',
  scopesHint: 'Lo que puede hacer la clave. No se puede cambiar más adelante.',
  allRead: 'Todos los de lectura',
  clear: 'Ninguno',
  read: 'Leer',
  write: 'Leer y cambiar',
  included: 'Incluido en el permiso para cambiarlo.',
  chosen: (count) =>
    count === 0
      ? 'Elija al menos un permiso.'
      : counted(count, 'permiso seleccionado', 'permisos seleccionados'),
  groups: {
    account: 'Cuenta de Tributary',
    connections: 'Conexiones',
    data: 'Datos financieros',
    categories: 'Categorías',
    destinations: 'Destinos',
    syncs: 'Sincronizaciones',
    rules: 'Reglas',
    events: 'Eventos',
    keys: 'Claves de API y aplicaciones',
  },
  limits: 'Límites',
  addresses: 'Direcciones permitidas',
  addressesHint:
    'Una por línea: una dirección IPv4, un rango como 203.0.113.0/24 o una dirección IPv6. Déjelo en blanco para permitir cualquiera.',
  expires: 'Caduca',
  expiresHint:
    'La clave deja de funcionar al final de este día en UTC. Déjelo en blanco para que funcione hasta que la revoque.',
  metadata: 'Metadatos',
  metadataHint: 'Hasta 50 pares propios, uno por línea: clave=valor. Opcional.',
  metadataInvalid: (line) => `«${line}» no tiene signo igual. Escriba clave=valor.`,
};

export const SCOPE_WORDS: typeof english.SCOPE_WORDS = {
  'account:read':
    'Leer los datos de la cuenta de Tributary más allá de lo que `GET /v2/me` muestra a cualquier clave',
  'connections:read':
    'Listar las instituciones y leer las conexiones, los consentimientos y los registros de archivos de extractos',
  'connections:write':
    'Vincular bancos y leer las sesiones de vinculación; subir, incorporar, deshacer y eliminar archivos de extractos; renovar, actualizar y eliminar conexiones; indicar qué significa un saldo positivo de un préstamo o una tarjeta',
  'data:read':
    'Leer cuentas, saldos, condiciones, movimientos, posiciones, operaciones y categorías de los proveedores',
  'categories:read': 'Leer el árbol de categorías y las vistas guardadas',
  'categories:write':
    'Cambiar el árbol de categorías, los códigos asignados a sus categorías y las vistas guardadas',
  'destinations:read': 'Leer los destinos y listar su contenido',
  'destinations:write':
    'Vincular, crear y eliminar destinos, elegir dónde escriben y renovar los secretos de firma',
  'syncs:read': 'Leer las sincronizaciones, sus ejecuciones y sus correspondencias de categorías',
  'syncs:write': 'Crear, cambiar, ejecutar y eliminar sincronizaciones, y asignarles conjuntos de reglas',
  'rules:read': 'Leer los conjuntos de reglas y las reglas',
  'rules:write': 'Cambiar los conjuntos de reglas y las reglas',
  'events:read': 'Leer los eventos y los destinos de eventos',
  'events:write': 'Cambiar los destinos de eventos, enviarles un ping y volver a enviar eventos',
  'keys:write':
    'Leer, crear, renovar y revocar claves de API; conectar, cambiar y revocar aplicaciones SimpleFIN; desconectar aplicaciones',
};

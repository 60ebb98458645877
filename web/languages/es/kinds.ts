import type { DestinationType } from '../../../src/vocabulary/destination-kinds.ts';
import type { ProviderIdentifier } from '../../../src/vocabulary/provider-kinds.ts';
import type * as english from '../../src/text/kinds.ts';

export const DESTINATION_WORDS: Readonly<Record<DestinationType, english.DestinationWords>> = {
  sheets: {
    name: 'Google Sheets',
    target: 'Una hoja de cálculo',
    for: 'Una hoja de cálculo que puede ordenar, representar en gráficos y compartir. También para posiciones y operaciones, y para las hojas de Tiller.',
    needs: 'Una cuenta de Google. Usted inicia sesión en Google; Tributary nunca ve su contraseña.',
    sends:
      'Una fila por cada movimiento: fecha, importe, descripción, categoría y nombre de la cuenta. También los saldos, si usted lo pide.',
    asks: 'Ver y editar solo las hojas de cálculo que crea o que usted abre con él. Ningún otro archivo de su Drive.',
    stays: 'La hoja de cálculo y sus filas permanecen en su Drive. La autorización se retira en Google.',
    ends: 'retirar en Google la autorización de Tributary',
    makes: 'Tributary la crea en su Google Drive, con las columnas que necesita.',
    balances: 'En una pestaña propia, con una fila por cada cuenta.',
  },
  notion: {
    name: 'Notion',
    target: 'Una base de datos de Notion',
    for: 'Una base de datos de Notion, con una página por cada movimiento, para enlazarla con sus demás notas.',
    needs:
      'Un espacio de trabajo de Notion. En la página de Notion, marque la página que contiene la base de datos o que la contendrá.',
    sends: 'Una página por cada movimiento: fecha, importe, descripción, categoría y nombre de la cuenta.',
    asks: 'Leer y editar las páginas que usted marque y todo lo que contienen.',
    stays: 'La base de datos y sus páginas permanecen. La autorización se retira en Notion.',
    ends: 'retirar en Notion la autorización de Tributary',
    makes:
      'Tributary la crea en la página más antigua que usted compartió, con las propiedades que necesita.',
    balances: null,
  },
  airtable: {
    name: 'Airtable',
    target: 'Una tabla de Airtable',
    for: 'Una tabla de Airtable para agrupar, filtrar y usar como base de otras cosas.',
    needs:
      'Una base propia en la que pueda crear tablas. Un plan gratuito permite 1000 llamadas al mes, que se agotan con una primera sincronización de 10 000 filas.',
    sends: 'Un registro por cada movimiento: fecha, importe, descripción, categoría y nombre de la cuenta.',
    asks: 'Leer y editar los registros y los campos de las bases que usted marque.',
    stays:
      'La tabla y sus registros permanecen. La autorización también: quítela en los ajustes de su cuenta de Airtable.',
    ends: 'hacer que Tributary olvide su autorización. Airtable no permite retirarla desde aquí: quítela en los ajustes de su cuenta de Airtable',
    makes: 'Tributary la crea en una base propia de usted, con los campos que necesita.',
    balances: 'En una tabla propia, con un registro por cada cuenta.',
  },
  ynab: {
    name: 'YNAB',
    target: 'Un presupuesto de YNAB',
    for: 'Movimientos en su plan de YNAB, listos para aprobar.',
    needs: 'Una suscripción a YNAB con un plan y, en él, una cuenta por cada cuenta bancaria.',
    sends: 'Fecha, beneficiario, nota, importe y categoría de cada movimiento. Todos llegan sin aprobar.',
    asks: 'Leer sus planes y añadirles movimientos.',
    stays:
      'Los movimientos permanecen en su plan. Tributary olvida la autorización; para retirarla en YNAB, quítela en los ajustes de su cuenta de YNAB.',
    ends: 'hacer que Tributary olvide su autorización. Para retirarla en YNAB, quítela en los ajustes de su cuenta de YNAB',
    makes: '',
    balances: null,
  },
  webhook: {
    name: 'Webhook',
    target: 'Una dirección propia',
    for: 'JSON firmado a un servidor propio, para desarrolladores.',
    needs: 'Una dirección https que responda a solicitudes POST y verifique su firma.',
    sends: 'Eventos con hasta 500 filas cada uno: todos los campos de un movimiento o una operación.',
    asks: 'Nada: usted dirige las solicitudes de Tributary a su propio servidor.',
    stays: 'Lo que su servidor almacenó permanece allí. El secreto de firma deja de ser válido.',
    ends: 'invalidar su secreto de firma y eliminar su registro de entregas',
    makes: '',
    balances: null,
  },
  postgres: {
    name: 'Postgres',
    target: 'Una tabla de Postgres',
    for: 'Una tabla en una base de datos propia, con importes exactos, para consultas y paneles.',
    needs:
      'Postgres 13 o posterior, accesible desde internet, y un usuario de la base de datos solo para Tributary.',
    sends: 'Una fila por cada movimiento, posición u operación, con todas las columnas estándar.',
    asks: 'Lo que usted conceda al usuario de la base de datos: crear y rellenar tablas en un esquema.',
    stays:
      'Las tablas y las filas permanecen. Elimine el usuario de la base de datos para poner fin a su acceso; el secreto cifrado se elimina aquí.',
    ends: 'eliminar el secreto cifrado. Elimine el usuario de la base de datos para poner fin también a su acceso allí',
    makes: 'Tributary la crea con sus columnas e índices, y con una vista de sumas mensuales.',
    balances: 'En una tabla propia, con una fila por cada cuenta.',
  },
  actual: {
    name: 'Actual Budget',
    target: 'Un presupuesto de Actual',
    for: 'Movimientos en un presupuesto de su propio servidor de Actual.',
    needs:
      'La dirección de su servidor de sincronización con su contraseña y, en el presupuesto, una cuenta por cada cuenta bancaria.',
    sends: 'Fecha, beneficiario, notas, importe y categoría de cada movimiento.',
    asks: 'Leer y cambiar los presupuestos de ese servidor, como un cliente más.',
    stays: 'Los movimientos permanecen en su presupuesto. La contraseña cifrada se elimina aquí.',
    ends: 'eliminar la contraseña cifrada',
    makes: '',
    balances: null,
  },
  csv_folder: {
    name: 'Archivos CSV',
    target: 'Una carpeta de archivos CSV',
    for: 'Archivos CSV en el equipo donde se ejecuta Tributary, uno por cada cuenta y mes.',
    needs: 'El operador define la carpeta.',
    sends:
      'Una línea por cada movimiento u operación: fecha, importe, descripción, categoría y nombre de la cuenta.',
    asks: 'Crear y modificar archivos en una carpeta propia.',
    stays: 'Los archivos permanecen en su carpeta.',
    ends: 'no poner fin a nada más: los archivos permanecen',
    makes: 'Tributary la crea en su carpeta.',
    balances: null,
  },
};

export const PROVIDER_WORDS: Readonly<Record<ProviderIdentifier, ReturnType<typeof english.providerTexts>>> =
  {
    au_banking: {
      name: 'Banco australiano',
      through: 'Banca abierta australiana (Fiskil)',
      institution: 'Banco',
      failures: {},
      invalidated: 'Requiere iniciar sesión',
      granted: 'Concedido',
      withdrawal: 'retirar su consentimiento en el banco',
    },
    nz_banking: {
      name: 'Banco neozelandés',
      through: 'Akahu',
      institution: 'Banco',
      failures: {
        consent_denied: 'Se denegó el acceso en Akahu. No se ha compartido nada.',
        institution_error: 'Akahu ha informado de un error propio. Inténtelo de nuevo más tarde.',
        not_eligible:
          'No se compartió ninguna cuenta en Akahu, o el operador no lo ha abierto a esta cuenta de Tributary.',
      },
      invalidated: 'Requiere iniciar sesión',
      granted: 'Concedido',
      withdrawal:
        'poner fin al acceso en Akahu; una aplicación personal del operador conserva el suyo hasta que se revoque allí',
    },
    brokerage: {
      name: 'Bróker',
      through: 'SnapTrade',
      institution: 'Bróker',
      failures: {
        consent_denied: 'Se denegó el acceso en el bróker. No se ha compartido nada.',
        authentication_failed: 'No ha sido posible iniciar sesión en el bróker. No se ha compartido nada.',
        institution_error: 'No se ha podido contactar con el bróker. Inténtelo de nuevo más tarde.',
        not_eligible:
          'El bróker no ofrece esta opción para sus cuentas, o usted inició sesión allí en otra cuenta.',
      },
      invalidated: 'Requiere iniciar sesión',
      granted: 'Concedido',
      withdrawal: 'eliminar la conexión en SnapTrade',
    },
    enable_banking: {
      name: 'Banco europeo',
      through: 'Enable Banking',
      institution: 'Banco',
      failures: {
        consent_denied: 'Se denegó el acceso en el banco. No se ha compartido nada.',
        institution_error:
          'El banco o Enable Banking ha informado de un error propio. Inténtelo de nuevo más tarde.',
        not_eligible:
          'No se compartió ninguna cuenta. En uso restringido, Enable Banking solo comparte las cuentas que el operador ha añadido a la aplicación en su panel de control.',
      },
      invalidated: 'Requiere iniciar sesión',
      granted: 'Concedido',
      withdrawal: 'terminar la sesión en Enable Banking y, con ella, su consentimiento en el banco',
    },
    up_bank: {
      name: 'Up',
      through: 'La API propia de Up',
      institution: 'Banco',
      failures: {
        authentication_failed: 'Up no acepta el token. El operador debe configurar uno nuevo.',
        not_eligible:
          'El token pertenece a una persona distinta de la de la conexión, o el operador no lo ha abierto a esta cuenta de Tributary.',
      },
      invalidated: 'Requiere un token nuevo',
      granted: 'Primera lectura',
      withdrawal: 'dejar de leer Up; el token sigue siendo válido hasta que se revoque en Up',
    },
    simplefin: {
      name: 'SimpleFIN',
      through: 'SimpleFIN',
      institution: 'Banco',
      failures: {
        authentication_failed:
          'El servidor SimpleFIN rechazó el token de configuración: ya se había usado o está incompleto. Cree uno nuevo y elimine allí el anterior si no lo usó usted.',
        institution_error:
          'El servidor SimpleFIN no respondió como debía. Puede que el token de configuración ya esté usado: cree uno nuevo.',
        not_eligible:
          'El token de configuración no comparte ninguna cuenta que se pueda vincular. Conecte primero un banco en SimpleFIN y cree después un token nuevo.',
      },
      invalidated: 'Requiere un token nuevo o iniciar sesión en SimpleFIN',
      granted: 'Primera lectura',
      withdrawal: 'dejar de leer SimpleFIN; el acceso sigue siendo válido hasta que se desactive allí',
    },
    statement_files: {
      name: 'Archivos de extractos',
      through: 'Archivos que usted sube',
      institution: 'Banco',
      failures: {},
      invalidated: 'Eliminada',
      granted: 'Primer archivo',
      withdrawal: 'eliminar los archivos y todos los movimientos tomados de ellos',
    },
  };

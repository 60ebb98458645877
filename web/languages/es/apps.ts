import type * as english from '../../src/text/apps.ts';

export const AGENTS: typeof english.AGENTS = {
  title: 'Agentes (MCP)',
  intro:
    'Los agentes de IA leen sus cuentas y gestionan sus sincronizaciones mediante el Model Context Protocol. Usted ve lo que pide cada agente, puede concederle menos y puede desconectarlo en cualquier momento.',
  address: 'Dirección del servidor MCP',
  addressText:
    'Todos los agentes necesitan esta dirección, y nada más si el inicio de sesión se hace por OAuth.',
  local:
    'Solo se puede acceder a esta dirección desde este equipo o su red. Los agentes que se ejecutan ahí pueden usarla; Claude en la web y ChatGPT llaman desde fuera y necesitan una dirección https pública (MCP_URL).',
  choose: 'Configurar',
  which: 'Agente',
  oauth: 'El agente abre una página de Tributary en la que usted inicia sesión y elige lo que puede hacer.',
  withKey: 'Con una clave de API',
  withKeyText: 'Dé pocos permisos a la clave de un agente: con data:read le basta para leer.',
  createKey: 'Crear una clave de API',
  apps: 'Los agentes que tienen acceso aparecen en Aplicaciones conectadas.',
  seeApps: 'Ver las aplicaciones conectadas',
  guide: 'Todo lo que puede hacer un agente',
  configuration: (agent) => `Configuración de ${agent}`,
  withKeyConfiguration: (agent) => `Configuración de ${agent} con una clave de API`,
  agents: {
    claude: 'Claude',
    claudeCode: 'Claude Code',
    chatgpt: 'ChatGPT, Codex',
    cursor: 'Cursor',
    vscode: 'VS Code',
    inspector: 'MCP Inspector',
  },
  steps: {
    claude: [
      'En Claude en la web, en el escritorio o en un teléfono, abra Settings → Connectors → Add custom connector.',
      'Introduzca la dirección de arriba.',
      'Elija Connect, inicie sesión aquí y elija lo que puede hacer Claude.',
    ],
    claudeCode: ['Ejecute este comando:', 'Después, escriba /mcp en Claude Code para iniciar sesión.'],
    chatgpt: [
      'Abra Settings → Connectors → Create.',
      'Introduzca la dirección de arriba y elija OAuth.',
      'Inicie sesión aquí y elija lo que puede hacer ChatGPT.',
    ],
    cursor: ['Añada esto a mcp.json:', 'Cursor le pedirá entonces que inicie sesión.'],
    vscode: ['Añada esto a .vscode/mcp.json:', 'VS Code le pedirá entonces que inicie sesión.'],
    inspector: [
      'Ejecute este comando:',
      'Elija el transporte Streamable HTTP, introduzca la dirección de arriba e inicie sesión por OAuth.',
    ],
  },
  notes: {
    claude:
      'Llama desde la red de Anthropic, por lo que la dirección debe ser pública. No admite claves de API.',
    claudeCode: null,
    chatgpt: 'Llama desde la red de OpenAI, por lo que la dirección debe ser pública.',
    cursor: null,
    vscode: 'Con una clave, VS Code la pide una vez, de modo que no queda en ningún archivo.',
    inspector: 'Con una clave, elija la cabecera Authorization en lugar de OAuth.',
  },
};

export const CONNECTED_APPS: typeof english.CONNECTED_APPS = {
  title: 'Aplicaciones conectadas',
  intro:
    'Aplicaciones y agentes que los miembros de esta cuenta han conectado por OAuth. Al desconectar uno, su acceso termina de inmediato.',
  none: 'No hay aplicaciones conectadas',
  noneText: 'Conecte un agente como Claude y aparecerá aquí, junto con lo que puede hacer.',
  connect: 'Conectar un agente',
  status: { active: 'Conectada', revoked: 'Desconectada', expired: 'Terminada' },
  may: 'Puede:',
  unnamed: 'Aplicación sin nombre',
  facts: {
    returns: 'Vuelve a',
    uses: 'Usa',
    ends: 'Termina si no se usa',
  },
  resources: { mcp: 'El servidor MCP', v2: 'La API' },
  disconnect: 'Desconectar',
  disconnectOf: (name) => `Desconectar ${name}`,
  disconnecting: {
    title: (name) => `¿Desconectar ${name}?`,
    text: 'Sus tokens dejan de funcionar de inmediato. Puede volver a pedirle acceso. Conserva lo que ya ha leído.',
    failed: (name) => `No se ha desconectado ${name}`,
    done: (name) => `Aplicación desconectada: ${name}`,
    doneText: 'Ya no puede leer ni cambiar nada.',
  },
};

export const SIMPLEFIN: typeof english.SIMPLEFIN = {
  title: 'Puente SimpleFIN',
  intro:
    'Los programas de presupuesto compatibles con SimpleFIN, como Actual Budget, leen aquí sus cuentas bancarias: nombres, saldos y movimientos. No cambian nada y no ven las cuentas de inversión.',
  how: 'Conectar un programa',
  steps: [
    'Cree un token de configuración para cada programa.',
    'Péguelo en el programa donde le pida un token de configuración de SimpleFIN («setup token»), en un plazo de 7 días.',
    'El programa lo canjea y aparece abajo.',
  ],
  programs: [
    [
      'Actual Budget',
      'Settings → Bank sync → Set up SimpleFIN. Muestra todos los importes en dólares estadounidenses, sea cual sea la moneda de la cuenta.',
    ],
    ['Sure', 'Settings → SimpleFIN. Necesita una dirección https pública.'],
    [
      'Firefly III Data Importer',
      'Elija SimpleFIN e indique una fecha de inicio. Necesita una dirección pública.',
    ],
    ['Home Assistant', 'Añada la integración SimpleFIN. Necesita https.'],
  ],
  programsTitle: 'Dónde pegarlo',
  guide: 'Qué programas funcionan y qué necesitan',
  create: 'Crear un token de configuración',
  creating: 'Crear un token de configuración',
  name: 'Nombre del programa',
  twoDecimals: {
    label: 'Redondear los importes a dos decimales',
    hint: 'Actual Budget lo necesita para las monedas con tres decimales, como el dinar kuwaití; la mayoría de los programas leen importes exactos.',
    set: 'Dos decimales',
  },
  leaveOutExtra: {
    label: 'Omitir identificadores y categorías',
    hint: 'El protocolo tiene para ellos un campo llamado extra. Pocos programas lo leen.',
    set: 'Sin identificadores ni categorías',
  },
  failedCreate: 'No se ha creado el token de configuración',
  secret: {
    title: (name) => `Token de configuración para ${name}`,
    text: 'Cópielo ahora. Se muestra solo esta vez, funciona una vez y caduca en 7 días.',
    label: 'Token de configuración',
    done: 'Ya lo he copiado',
  },
  tokens: 'Tokens de configuración',
  noTokens: 'Aún no hay tokens de configuración.',
  tokenStatus: { open: 'Sin usar', claimed: 'Usado', expired: 'Caducado', revoked: 'Revocado' },
  ends: (ago) => `Caduca ${ago}`,
  madeOn: (day) => `Creado: ${day}`,
  apps: 'Programas',
  noApps: 'Aún no hay programas conectados.',
  appStatus: { active: 'Conectado', revoked: 'Revocado' },
  revoke: 'Revocar',
  revokingToken: {
    title: (name) => `¿Revocar el token de configuración para ${name}?`,
    text: 'Ya no se podrá usar.',
  },
  revokingApp: {
    title: (name) => `¿Revocar ${name}?`,
    text: 'Sus credenciales dejan de funcionar de inmediato. Los demás programas no se ven afectados. Para volver a conectarlo, cree un token de configuración nuevo.',
  },
  failedRevoke: (name) => `No se ha revocado ${name}`,
  edit: 'Editar',
  editTitle: (name) => `Editar ${name}`,
  failedEdit: 'No se ha cambiado el programa',
  revoked: (name) => `Acceso revocado: ${name}`,
  revokedText: 'A partir de ahora se rechaza.',
};

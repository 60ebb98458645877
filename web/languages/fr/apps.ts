import type * as english from '../../src/text/apps.ts';

export const AGENTS: typeof english.AGENTS = {
  title: 'Agents (MCP)',
  intro:
    'Des agents d’IA lisent vos comptes et gèrent vos synchronisations au moyen du Model Context Protocol. Vous voyez ce qu’un agent demande, vous pouvez lui accorder moins et le déconnecter à tout moment.',
  address: 'Adresse du serveur MCP',
  addressText:
    'Tout agent a besoin de cette adresse, et de rien d’autre s’il vous fait vous connecter par OAuth.',
  local:
    'Cette adresse n’est accessible que depuis cette machine ou son réseau. Les agents qui y tournent peuvent l’utiliser ; Claude sur le web et ChatGPT appellent d’ailleurs et ont besoin d’une adresse https publique (MCP_URL).',
  choose: 'Configurer',
  which: 'Agent',
  oauth: 'L’agent ouvre une page de Tributary où vous vous connectez et choisissez ce qu’il peut faire.',
  withKey: 'Ou avec une clé d’API',
  withKeyText: 'Accordez peu d’autorisations à la clé d’un agent : data:read suffit pour qu’il puisse lire.',
  createKey: 'Créer une clé d’API',
  apps: 'Les agents qui ont accès figurent sous Applications connectées.',
  seeApps: 'Voir les applications connectées',
  guide: 'Tout ce qu’un agent peut faire',
  configuration: (agent) => `Configuration pour ${agent}`,
  withKeyConfiguration: (agent) => `Configuration pour ${agent} avec une clé d’API`,
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
      'Dans Claude sur le web, sur ordinateur ou sur téléphone, ouvrez Settings → Connectors → Add custom connector.',
      'Saisissez l’adresse ci-dessus.',
      'Choisissez Connect, connectez-vous ici et choisissez ce que Claude peut faire.',
    ],
    claudeCode: ['Exécutez cette commande :', 'Saisissez ensuite /mcp dans Claude Code pour vous connecter.'],
    chatgpt: [
      'Ouvrez Settings → Connectors → Create.',
      'Saisissez l’adresse ci-dessus et choisissez OAuth.',
      'Connectez-vous ici et choisissez ce que ChatGPT peut faire.',
    ],
    cursor: ['Ajoutez ceci à mcp.json :', 'Cursor vous demande ensuite de vous connecter.'],
    vscode: ['Ajoutez ceci à .vscode/mcp.json :', 'VS Code vous demande ensuite de vous connecter.'],
    inspector: [
      'Exécutez cette commande :',
      'Choisissez le transport Streamable HTTP, saisissez l’adresse ci-dessus et connectez-vous par OAuth.',
    ],
  },
  notes: {
    claude:
      'Claude appelle depuis le réseau d’Anthropic : l’adresse doit donc être publique. Les clés d’API ne sont pas acceptées.',
    claudeCode: null,
    chatgpt: 'ChatGPT appelle depuis le réseau d’OpenAI : l’adresse doit donc être publique.',
    cursor: null,
    vscode: 'Avec une clé, VS Code la demande une seule fois, si bien qu’elle ne figure dans aucun fichier.',
    inspector: 'Avec une clé, choisissez l’en-tête Authorization au lieu d’OAuth.',
  },
};

export const CONNECTED_APPS: typeof english.CONNECTED_APPS = {
  title: 'Applications connectées',
  intro:
    'Applications et agents que des membres de ce compte Tributary ont connectés par OAuth. Déconnecter une application met immédiatement fin à son accès.',
  none: 'Aucune application connectée',
  noneText: 'Connectez un agent tel que Claude : il apparaît ici avec ce qu’il peut faire.',
  connect: 'Connecter un agent',
  status: { active: 'Connectée', revoked: 'Déconnectée', expired: 'Terminée' },
  may: 'Elle peut :',
  unnamed: 'Application sans nom',
  facts: {
    returns: 'Adresse de retour',
    uses: 'Utilise',
    ends: 'Fin en cas d’inactivité',
  },
  resources: { mcp: 'Le serveur MCP', v2: 'L’API' },
  disconnect: 'Déconnecter',
  disconnectOf: (name) => `Déconnecter ${name}`,
  disconnecting: {
    title: (name) => `Déconnecter « ${name} » ?`,
    text: 'Ses jetons cessent immédiatement de fonctionner. Elle peut vous redemander l’accès. Elle conserve ce qu’elle a déjà lu.',
    failed: (name) => `L’application « ${name} » n’a pas été déconnectée`,
    done: (name) => `L’application « ${name} » a été déconnectée`,
    doneText: 'Elle ne peut plus rien lire ni modifier.',
  },
};

export const SIMPLEFIN: typeof english.SIMPLEFIN = {
  title: 'Passerelle SimpleFIN',
  intro:
    'Les programmes de budget compatibles avec SimpleFIN, comme Actual Budget, lisent ici vos comptes bancaires : noms, soldes et transactions. Ils ne modifient rien et ne voient pas les comptes de courtage.',
  how: 'Connecter un programme',
  steps: [
    'Créez un jeton de configuration, un par programme.',
    'Collez-le dans le programme, là où il demande un jeton de configuration SimpleFIN (« setup token »), dans les 7 jours.',
    'Le programme l’utilise et apparaît ci-dessous.',
  ],
  programs: [
    [
      'Actual Budget',
      'Settings → Bank sync → Set up SimpleFIN. Il affiche tous les montants en dollars américains, quelle que soit la devise du compte.',
    ],
    ['Sure', 'Settings → SimpleFIN. Il a besoin d’une adresse https publique.'],
    [
      'Importateur de données Firefly III',
      'Choisissez SimpleFIN et indiquez une date de début. Il a besoin d’une adresse publique.',
    ],
    ['Home Assistant', 'Ajoutez l’intégration SimpleFIN. Elle a besoin de https.'],
  ],
  programsTitle: 'Où le coller',
  guide: 'Quels programmes fonctionnent, et ce dont ils ont besoin',
  create: 'Créer un jeton de configuration',
  creating: 'Créer un jeton de configuration',
  name: 'Nom du programme',
  twoDecimals: {
    label: 'Arrondir les montants à deux décimales',
    hint: 'Actual Budget en a besoin pour les devises à trois décimales, comme le dinar koweïtien ; la plupart des programmes lisent les montants exacts.',
    set: 'Deux décimales',
  },
  leaveOutExtra: {
    label: 'Omettre les identifiants et les catégories',
    hint: 'Le protocole a pour eux un champ nommé extra. Peu de programmes le lisent.',
    set: 'Sans identifiants ni catégories',
  },
  failedCreate: 'Le jeton de configuration n’a pas été créé',
  secret: {
    title: (name) => `Jeton de configuration pour « ${name} »`,
    text: 'Copiez-le maintenant. Il n’est affiché que cette fois, ne sert qu’une fois et expire dans 7 jours.',
    label: 'Jeton de configuration',
    done: 'Je l’ai copié',
  },
  tokens: 'Jetons de configuration',
  noTokens: 'Aucun jeton de configuration.',
  tokenStatus: { open: 'Pas encore utilisé', claimed: 'Utilisé', expired: 'Expiré', revoked: 'Révoqué' },
  ends: (ago) => `Expire ${ago}`,
  madeOn: (day) => `Créé le ${day}`,
  apps: 'Programmes',
  noApps: 'Aucun programme n’est encore connecté.',
  appStatus: { active: 'Connecté', revoked: 'Révoqué' },
  revoke: 'Révoquer',
  revokingToken: {
    title: (name) => `Révoquer le jeton de configuration pour « ${name} » ?`,
    text: 'Il ne pourra plus être utilisé.',
  },
  revokingApp: {
    title: (name) => `Révoquer « ${name} » ?`,
    text: 'Ses identifiants de connexion cessent immédiatement de fonctionner. Aucun autre programme n’est concerné. Pour le reconnecter, créez un nouveau jeton de configuration.',
  },
  failedRevoke: (name) => `L’accès de « ${name} » n’a pas été révoqué`,
  edit: 'Modifier',
  editTitle: (name) => `Modifier « ${name} »`,
  failedEdit: 'Le programme n’a pas été modifié',
  revoked: (name) => `L’accès de « ${name} » a été révoqué`,
  revokedText: 'Il est désormais refusé.',
};

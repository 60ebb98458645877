import type * as english from '../../src/text/apps.ts';

export const AGENTS: typeof english.AGENTS = {
  title: 'Agenten (MCP)',
  intro:
    'KI-Agenten lesen Ihre Konten und verwalten Ihre Syncs über das Model Context Protocol. Sie sehen, worum ein Agent bittet, können ihm weniger erlauben und ihn jederzeit trennen.',
  address: 'Adresse des MCP-Servers',
  addressText: 'Jeder Agent braucht diese Adresse, und sonst nichts, wenn er Sie per OAuth anmeldet.',
  local:
    'Diese Adresse ist nur von diesem Rechner oder aus seinem Netz erreichbar. Agenten, die dort laufen, können sie verwenden; Claude im Web und ChatGPT rufen von außen an und brauchen eine öffentliche https-Adresse (MCP_URL).',
  choose: 'Einrichten',
  which: 'Agent',
  oauth: 'Der Agent öffnet eine Seite von Tributary. Dort melden Sie sich an und wählen, was er darf.',
  withKey: 'Stattdessen mit einem API-Schlüssel',
  withKeyText: 'Geben Sie dem Schlüssel eines Agenten wenige Berechtigungen: Zum Lesen genügt data:read.',
  createKey: 'API-Schlüssel erstellen',
  apps: 'Agenten mit Zugriff finden Sie unter „Verbundene Apps“.',
  seeApps: 'Verbundene Apps ansehen',
  guide: 'Alles, was ein Agent kann',
  configuration: (agent) => `Konfiguration für ${agent}`,
  withKeyConfiguration: (agent) => `Konfiguration für ${agent} mit API-Schlüssel`,
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
      'Öffnen Sie in Claude im Web, auf dem Desktop oder auf dem Smartphone Settings → Connectors → Add custom connector.',
      'Geben Sie die Adresse von oben ein.',
      'Wählen Sie Connect, melden Sie sich hier an und wählen Sie, was Claude darf.',
    ],
    claudeCode: [
      'Führen Sie diesen Befehl aus:',
      'Geben Sie dann in Claude Code /mcp ein, um sich anzumelden.',
    ],
    chatgpt: [
      'Öffnen Sie Settings → Connectors → Create.',
      'Geben Sie die Adresse von oben ein und wählen Sie OAuth.',
      'Melden Sie sich hier an und wählen Sie, was ChatGPT darf.',
    ],
    cursor: ['Schreiben Sie dies in mcp.json:', 'Cursor bittet Sie dann, sich anzumelden.'],
    vscode: ['Schreiben Sie dies in .vscode/mcp.json:', 'VS Code bittet Sie dann, sich anzumelden.'],
    inspector: [
      'Führen Sie diesen Befehl aus:',
      'Wählen Sie den Transport Streamable HTTP, geben Sie die Adresse von oben ein und melden Sie sich per OAuth an.',
    ],
  },
  notes: {
    claude:
      'Die Anfragen kommen aus dem Netz von Anthropic, daher muss die Adresse öffentlich sein. API-Schlüssel werden nicht unterstützt.',
    claudeCode: null,
    chatgpt: 'Die Anfragen kommen aus dem Netz von OpenAI, daher muss die Adresse öffentlich sein.',
    cursor: null,
    vscode: 'Mit Schlüssel fragt VS Code einmal danach, sodass er in keiner Datei steht.',
    inspector: 'Mit Schlüssel: Wählen Sie statt OAuth den Header Authorization.',
  },
};

export const CONNECTED_APPS: typeof english.CONNECTED_APPS = {
  title: 'Verbundene Apps',
  intro:
    'Apps und Agenten, die Mitglieder dieses Tributary-Kontos per OAuth verbunden haben. Wenn Sie eine App trennen, endet ihr Zugriff sofort.',
  none: 'Keine App ist verbunden',
  noneText: 'Verbinden Sie einen Agenten wie Claude. Er erscheint dann hier mit dem, was er darf.',
  connect: 'Agenten verbinden',
  status: { active: 'Verbunden', revoked: 'Getrennt', expired: 'Beendet' },
  may: 'Erlaubt ist:',
  unnamed: 'App ohne Namen',
  facts: {
    returns: 'Rückkehr zu',
    uses: 'Verwendet',
    ends: 'Endet bei Nichtnutzung',
  },
  resources: { mcp: 'Den MCP-Server', v2: 'Die API' },
  disconnect: 'Trennen',
  disconnectOf: (name) => `${name} trennen`,
  disconnecting: {
    title: (name) => `„${name}“ trennen?`,
    text: 'Die Tokens der App sind sofort ungültig. Sie kann Sie erneut um Zugriff bitten. Was sie bereits gelesen hat, behält sie.',
    failed: (name) => `„${name}“ wurde nicht getrennt`,
    done: (name) => `„${name}“ wurde getrennt`,
    doneText: 'Die App kann nichts mehr lesen oder ändern.',
  },
};

export const SIMPLEFIN: typeof english.SIMPLEFIN = {
  title: 'SimpleFIN-Brücke',
  intro:
    'Budgetprogramme, die SimpleFIN beherrschen, etwa Actual Budget, lesen hier Ihre Bankkonten: Namen, Kontostände und Umsätze. Sie ändern nichts und sehen keine Depots.',
  how: 'Programm verbinden',
  steps: [
    'Erstellen Sie ein Setup-Token, für jedes Programm ein eigenes.',
    'Fügen Sie es innerhalb von 7 Tagen im Programm dort ein, wo nach einem SimpleFIN-Setup-Token gefragt wird.',
    'Das Programm löst es ein und erscheint unten.',
  ],
  programs: [
    [
      'Actual Budget',
      'Settings → Bank sync → Set up SimpleFIN. Alle Beträge werden als US-Dollar angezeigt, unabhängig von der Währung des Kontos.',
    ],
    ['Sure', 'Settings → SimpleFIN. Benötigt eine öffentliche https-Adresse.'],
    [
      'Firefly III Data Importer',
      'Wählen Sie SimpleFIN und geben Sie ein Startdatum an. Benötigt eine öffentliche Adresse.',
    ],
    ['Home Assistant', 'Fügen Sie die Integration SimpleFIN hinzu. Benötigt https.'],
  ],
  programsTitle: 'Wo Sie es einfügen',
  guide: 'Welche Programme funktionieren und was sie brauchen',
  create: 'Setup-Token erstellen',
  creating: 'Setup-Token erstellen',
  name: 'Name des Programms',
  twoDecimals: {
    label: 'Beträge auf zwei Nachkommastellen runden',
    hint: 'Actual Budget braucht das bei Währungen mit drei Nachkommastellen wie dem Kuwait-Dinar; die meisten Programme lesen genaue Beträge.',
    set: 'Zwei Nachkommastellen',
  },
  leaveOutExtra: {
    label: 'IDs und Kategorien weglassen',
    hint: 'Das Protokoll hat dafür ein Feld namens extra. Nur wenige Programme lesen es.',
    set: 'Ohne IDs und Kategorien',
  },
  failedCreate: 'Das Setup-Token wurde nicht erstellt',
  secret: {
    title: (name) => `Das Setup-Token für „${name}“`,
    text: 'Kopieren Sie es jetzt. Es wird nur dieses eine Mal angezeigt, funktioniert einmal und läuft in 7 Tagen ab.',
    label: 'Setup-Token',
    done: 'Ich habe es kopiert',
  },
  tokens: 'Setup-Tokens',
  noTokens: 'Noch kein Setup-Token.',
  tokenStatus: {
    open: 'Noch nicht verwendet',
    claimed: 'Verwendet',
    expired: 'Abgelaufen',
    revoked: 'Widerrufen',
  },
  ends: (ago) => `Läuft ab: ${ago}`,
  madeOn: (day) => `Erstellt am ${day}`,
  apps: 'Programme',
  noApps: 'Noch kein Programm ist verbunden.',
  appStatus: { active: 'Verbunden', revoked: 'Widerrufen' },
  revoke: 'Widerrufen',
  revokingToken: {
    title: (name) => `Setup-Token für „${name}“ widerrufen?`,
    text: 'Es kann dann nicht mehr verwendet werden.',
  },
  revokingApp: {
    title: (name) => `Zugriff von „${name}“ widerrufen?`,
    text: 'Die Zugangsdaten sind sofort ungültig. Andere Programme sind nicht betroffen. Um das Programm wieder zu verbinden, erstellen Sie ein neues Setup-Token.',
  },
  failedRevoke: (name) => `Der Zugriff von „${name}“ wurde nicht widerrufen`,
  edit: 'Bearbeiten',
  editTitle: (name) => `„${name}“ bearbeiten`,
  failedEdit: 'Das Programm wurde nicht geändert',
  revoked: (name) => `Der Zugriff von „${name}“ wurde widerrufen`,
  revokedText: 'Anfragen werden ab sofort abgelehnt.',
};

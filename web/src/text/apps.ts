import { translated } from './translated.ts';
export const AGENTS = translated('AGENTS', {
  title: 'Agents (MCP)',
  intro:
    'AI agents read your accounts and manage your syncs over the Model Context Protocol. You see what an agent asks for, grant less than that if you like, and disconnect it at any time.',
  address: 'Address of the MCP server',
  addressText: 'Every agent needs this address, and nothing else if it signs you in by OAuth.',
  local:
    'This address can be reached only from this machine or its network. Agents that run there can use it; Claude on the web and ChatGPT call from elsewhere and need a public https address (MCP_URL).',
  choose: 'Set up',
  which: 'Agent',
  oauth: 'The agent opens a page of Tributary on which you sign in and choose what it may do.',
  withKey: 'With an API key instead',
  withKeyText: 'Give an agent’s key few scopes: data:read alone lets it read.',
  createKey: 'Create an API key',
  apps: 'Agents that have access are listed under Connected apps.',
  seeApps: 'See connected apps',
  guide: 'Everything an agent can do',
  configuration: (agent: string) => `Configuration for ${agent}`,
  withKeyConfiguration: (agent: string) => `Configuration for ${agent} with an API key`,
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
      'In Claude on the web, on the desktop or on a phone, open Settings → Connectors → Add custom connector.',
      'Enter the address above.',
      'Choose Connect, sign in here, and choose what Claude may do.',
    ],
    claudeCode: ['Run this command:', 'Then type /mcp in Claude Code to sign in.'],
    chatgpt: [
      'Open Settings → Connectors → Create.',
      'Enter the address above and choose OAuth.',
      'Sign in here, and choose what ChatGPT may do.',
    ],
    cursor: ['Put this into mcp.json:', 'Cursor then asks you to sign in.'],
    vscode: ['Put this into .vscode/mcp.json:', 'VS Code then asks you to sign in.'],
    inspector: [
      'Run this command:',
      'Choose the transport Streamable HTTP, enter the address above, and sign in by OAuth.',
    ],
  },
  notes: {
    claude: 'It calls from Anthropic’s network, so the address must be public. It takes no API key.',
    claudeCode: null,
    chatgpt: 'It calls from OpenAI’s network, so the address must be public.',
    cursor: null,
    vscode: 'With a key, VS Code asks for it once, so that it is in no file.',
    inspector: 'With a key, choose the header Authorization in place of OAuth.',
  },
});

export const CONNECTED_APPS = translated('CONNECTED_APPS', {
  title: 'Connected apps',
  intro:
    'Apps and agents that members of this account connected by OAuth. Disconnecting one ends its access at once.',
  none: 'No app is connected',
  noneText: 'Connect an agent such as Claude, and it appears here with what it may do.',
  connect: 'Connect an agent',
  status: { active: 'Connected', revoked: 'Disconnected', expired: 'Ended' },
  may: 'It may:',
  unnamed: 'App without a name',
  facts: {
    returns: 'Returns to',
    uses: 'Uses',
    ends: 'Ends without use',
  },
  resources: { mcp: 'The MCP server', v2: 'The API' },
  disconnect: 'Disconnect',
  disconnectOf: (name: string) => `Disconnect ${name}`,
  disconnecting: {
    title: (name: string) => `Disconnect ${name}?`,
    text: 'Its tokens stop working at once. It can ask you again. What it has read already stays with it.',
    failed: (name: string) => `${name} was not disconnected`,
    done: (name: string) => `${name} is disconnected`,
    doneText: 'It cannot read or change anything any more.',
  },
});

export const SIMPLEFIN = translated('SIMPLEFIN', {
  title: 'SimpleFIN bridge',
  intro:
    'Budgeting programs that speak SimpleFIN, such as Actual Budget, read your banking accounts here: names, balances and transactions. They change nothing and do not see brokerage accounts.',
  how: 'Connect a program',
  steps: [
    'Create a setup token, one for each program.',
    'Paste it into the program where it asks for a SimpleFIN setup token, within 7 days.',
    'The program claims it and appears below.',
  ],
  programs: [
    [
      'Actual Budget',
      'Settings → Bank sync → Set up SimpleFIN. It shows every amount as US dollars, whatever the currency of the account.',
    ],
    ['Sure', 'Settings → SimpleFIN. It needs a public https address.'],
    ['Firefly III data importer', 'Choose SimpleFIN and give a start date. It needs a public address.'],
    ['Home Assistant', 'Add the integration SimpleFIN. It needs https.'],
  ],
  programsTitle: 'Where to paste it',
  guide: 'Which programs work, and what they need',
  create: 'Create setup token',
  creating: 'Create a setup token',
  name: 'Name of the program',
  twoDecimals: {
    label: 'Round amounts to two decimals',
    hint: 'Actual Budget needs it for currencies with three decimals, such as the Kuwaiti dinar; most programs read exact amounts.',
    set: 'Two decimals',
  },
  leaveOutExtra: {
    label: 'Leave out ids and categories',
    hint: 'The protocol has a field named extra for them. Few programs read it.',
    set: 'No ids or categories',
  },
  failedCreate: 'The setup token was not created',
  secret: {
    title: (name: string) => `The setup token for ${name}`,
    text: 'Copy it now. It is shown this once, works once, and ends in 7 days.',
    label: 'Setup token',
    done: 'I have copied it',
  },
  tokens: 'Setup tokens',
  noTokens: 'No setup token yet.',
  tokenStatus: { open: 'Not used yet', claimed: 'Used', expired: 'Expired', revoked: 'Revoked' },
  ends: (ago: string) => `Ends ${ago}`,
  madeOn: (day: string) => `Created ${day}`,
  apps: 'Programs',
  noApps: 'No program is connected yet.',
  appStatus: { active: 'Connected', revoked: 'Revoked' },
  revoke: 'Revoke',
  revokingToken: {
    title: (name: string) => `Revoke the setup token for ${name}?`,
    text: 'It can no longer be used.',
  },
  revokingApp: {
    title: (name: string) => `Revoke ${name}?`,
    text: 'Its credentials stop working at once. No other program is affected. To connect it again, create a new setup token.',
  },
  failedRevoke: (name: string) => `${name} was not revoked`,
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  failedEdit: 'The program was not changed',
  revoked: (name: string) => `${name} is revoked`,
  revokedText: 'It is refused from now on.',
});

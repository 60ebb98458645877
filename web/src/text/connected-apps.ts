export const CONNECTED_APPS = {
  title: 'Connected apps',
  intro:
    'Apps and agents that somebody of this account let in by OAuth. Disconnecting one takes its access away at once.',
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
} as const;

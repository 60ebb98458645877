import { shellQuoted } from '../../../../src/vocabulary/description/examples.ts';
import type { AGENTS } from '../../text/apps.ts';

export type Agent = keyof typeof AGENTS.agents;

interface Setup {
  /** A command or a file to copy; null if only the address is entered. */
  readonly signedIn: ((url: string) => string) | null;
  readonly withKey: ((url: string) => string) | null;
}

const SERVER = 'tributary';
const KEY = '$TRIBUTARY_API_KEY';

/** How each agent is connected, as docs/mcp.md says it; a test compares the two. */
export const AGENT_SETUPS: Readonly<Record<Agent, Setup>> = {
  claude: { signedIn: null, withKey: null },
  claudeCode: {
    signedIn: (url) => `claude mcp add --transport http ${SERVER} ${shellQuoted(url)}`,
    withKey: (url) =>
      `claude mcp add --transport http ${SERVER} ${shellQuoted(url)} \\\n  --header "Authorization: Bearer ${KEY}"`,
  },
  chatgpt: { signedIn: null, withKey: null },
  cursor: {
    signedIn: (url) => json({ mcpServers: { [SERVER]: { url } } }),
    withKey: (url) =>
      json({
        mcpServers: {
          [SERVER]: { url, headers: { Authorization: `Bearer \${env:TRIBUTARY_API_KEY}` } },
        },
      }),
  },
  vscode: {
    signedIn: (url) => json({ servers: { [SERVER]: { type: 'http', url } } }),
    withKey: (url) =>
      json({
        inputs: [
          { type: 'promptString', id: 'tributary-key', description: 'Tributary API key', password: true },
        ],
        servers: {
          [SERVER]: { type: 'http', url, headers: { Authorization: `Bearer \${input:tributary-key}` } },
        },
      }),
  },
  inspector: { signedIn: () => 'npx @modelcontextprotocol/inspector', withKey: null },
};

/** Whether only this machine or its network reaches the address. */
export function isLocal(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== 'https:' || PRIVATE.test(hostname);
}

const PRIVATE = /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)|\.(local|internal|lan)$/;

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

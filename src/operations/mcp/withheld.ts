import { isStructured, type ToolAnswer } from './tool.ts';

/** Members whose text is a secret that an answer shows once. */
const SECRETS: ReadonlySet<string> = new Set(['signing_secret', 'secret', 'setup_token']);
export const WITHHELD = '[not shown to agents: rotate the secret over the API to see one]';

/** The answer without its secrets: a conversation is kept by others than its person. */
export function withoutSecrets(answer: ToolAnswer['structured']): ToolAnswer['structured'] {
  const members = Object.entries(answer).map(([name, value]): [string, unknown] => {
    if (SECRETS.has(name) && typeof value === 'string') return [name, WITHHELD];
    return [name, isStructured(value) ? withoutSecrets(value) : value];
  });
  return Object.fromEntries(members);
}

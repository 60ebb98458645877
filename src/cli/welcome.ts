import { CURRENT_RELEASE } from '../vocabulary/service-version.ts';
import type { FirstAccount } from './first-start.ts';

/** What a started service says to the person in front of it. */
export type Welcome = {
  /** Where callers reach the service. */
  readonly url: string;
  readonly sandbox: boolean;
  readonly dataDir: string;
  readonly first: FirstAccount | null;
  readonly accounts: readonly string[];
};

export function welcomeText({ url, sandbox, dataDir, first, accounts }: Welcome): string {
  const lines = [`Tributary is running at ${url}`, `Its data is in ${dataDir}`, ''];
  if (first !== null) {
    lines.push(
      `A first account record was made: ${first.account}`,
      `Its API key, shown this once:    ${first.secret}`,
      '',
    );
  }
  const account = first?.account ?? accounts[0] ?? null;
  if (account === null) {
    lines.push(
      'There is no account record yet. Make one, and a key for it:',
      '  npx tributary account create --email you@example.com',
      '  npx tributary key create --account acc_… --name "My key" --scopes all',
      '',
    );
  }
  lines.push(
    'Ask who you are:',
    `  curl -s ${url}/v2/me -H 'Service-Version: ${CURRENT_RELEASE}' -H 'Authorization: Bearer ${first?.secret ?? '<API key>'}'`,
    '',
  );
  if (sandbox) {
    lines.push(
      'Link a sandbox bank, then read its accounts at /v2/accounts:',
      `  npx tributary link --account ${account ?? 'acc_…'} --provider au_banking`,
      'See the whole job done once, in a directory of its own:',
      '  npm run demo',
    );
  }
  lines.push(
    `Another key: npx tributary key create --account ${account ?? 'acc_…'} --name "My key" --scopes all`,
  );
  lines.push('Documentation: README.md and docs/');
  return `${lines.join('\n')}\n`;
}

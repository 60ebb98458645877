import type { FirstAccount, FirstRunLink } from '../../features/operator/first-start.ts';
import { CURRENT_RELEASE } from '../../vocabulary/service-version.ts';

/** What a started service prints for the person who started it. */
export type Welcome = {
  /** Where callers reach the service. */
  readonly url: string;
  /** Where people reach the web application. */
  readonly appUrl: string;
  readonly sandbox: boolean;
  /** A provider of the sandbox that `link` can link; null if none is simulated. */
  readonly linkable: string | null;
  readonly dataDir: string;
  readonly first: FirstAccount | null;
  /** Null once someone can sign in. */
  readonly firstRun: FirstRunLink | null;
  readonly accounts: readonly string[];
};

export function welcomeText({
  url,
  appUrl,
  sandbox,
  linkable,
  dataDir,
  first,
  firstRun,
  accounts,
}: Welcome): string {
  const lines = [`Tributary is running at ${url}`, `Its data is in ${dataDir}`, ''];
  if (first !== null) {
    lines.push(
      `Created the first account record: ${first.account}`,
      first.file === null
        ? `Its API key, shown only once:    ${first.secret}`
        : `Its API key is in the file ${first.file}, which only you can read. It is deleted once the key was used and an hour has passed, and after a day in any case.`,
      '',
    );
  }
  if (firstRun !== null) {
    lines.push(
      sandbox
        ? 'Open this in a browser, once: choose your e-mail address and password, then take the tour.'
        : 'No one can sign in yet. Choose your e-mail address and password here, once:',
      firstRun.file === null
        ? `  ${firstRun.url}`
        : `  the address in the file ${firstRun.file}, which only you can read`,
      '',
    );
  }
  if (firstRun === null) lines.push(`Open it in a browser: ${appUrl}/`, '');
  const account = first?.account ?? accounts[0] ?? null;
  if (account === null) {
    lines.push(
      'There is no account record yet. Create one, and a key for it:',
      '  npx tributary account create --email you@example.com',
      '  npx tributary key create --account acc_… --name "My key" --scopes all',
      '',
    );
  }
  lines.push(
    'Check that it works:',
    `  curl -s ${url}/v2/me -H 'Service-Version: ${CURRENT_RELEASE}' -H ${authorization(first)}`,
    '',
  );
  if (linkable !== null) {
    lines.push(
      'Link a sandbox bank, then read its accounts at /v2/accounts:',
      `  npx tributary link --account ${account ?? 'acc_…'} --provider ${linkable}`,
    );
  }
  if (sandbox) {
    lines.push('See the main use case run end to end, in a directory of its own:', '  npm run demo');
  }
  lines.push(
    `Another key: npx tributary key create --account ${account ?? 'acc_…'} --name "My key" --scopes all`,
  );
  lines.push(`Read and try the API: ${url}/docs`, `Guides: ${url}/docs/guides, or README.md and docs/`);
  return `${lines.join('\n')}\n`;
}

/** A shell reads the key from its file, so that it does not end up in the history. */
function authorization(first: FirstAccount | null): string {
  if (first?.file) return `"Authorization: Bearer $(cat '${first.file}')"`;
  return `'Authorization: Bearer ${first?.secret ?? '<API key>'}'`;
}

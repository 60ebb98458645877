import { type CommanderError, InvalidArgumentError, Option, Command as Program } from 'commander';
import { PARTIES } from '../parties.ts';
import type { Party } from '../party.ts';
import { PLAN_NAMES } from '../vocabulary/plans.ts';
import { ACCOUNT_RECORD_STATUSES } from '../vocabulary/states.ts';
import { linkableProviders, personaNames } from './linkable.ts';

/** What the program does once it has understood its arguments. */
export interface Actions {
  /** A command of the command table, with its arguments by the names of its schema. */
  run(name: string, args: Readonly<Record<string, unknown>>, json: boolean): Promise<void>;
  serve(roles: string | undefined, json: boolean): Promise<void>;
  doctor(json: boolean): Promise<void>;
  demo(options: DemoArguments): Promise<void>;
}

export type DemoArguments = {
  readonly provider: string | undefined;
  readonly data: string | undefined;
  readonly rows: number | undefined;
  readonly keep: boolean;
  readonly json: boolean;
};

type Options = Readonly<Record<string, unknown>>;

/** The command line (docs/command-line.md). */
export function programOf(actions: Actions, parties: readonly Party[] = PARTIES): Program {
  const program = new Program('tributary')
    .description(
      'A self-hostable financial data hub: link bank accounts once, read or forward the data anywhere.',
    )
    .exitOverride()
    .showHelpAfterError('(add --help to see the options of the command)');
  const add = (parent: Program, name: string, description: string): Program =>
    parent.command(name).description(description).option('--json', 'print the result as JSON');
  const group = (name: string, description: string): Program =>
    program.command(name).description(description);

  add(program, 'serve', 'run the service')
    .option('--roles <roles>', 'what this process does: api, worker, scheduler (default: all)')
    .action((options: Options) => actions.serve(text(options.roles), options.json === true));
  add(program, 'migrate', 'bring the database up to date').action(runs('migrate'));
  add(
    program,
    'move-to-postgres',
    'copy the embedded database of DATA_DIR into the empty Postgres database of DATABASE_URL',
  ).action(runs('move-to-postgres'));
  add(program, 'doctor', 'check configuration, keys, storage, providers and addresses').action(
    (options: Options) => actions.doctor(options.json === true),
  );
  add(program, 'demo', 'run the main use case once, end to end, in a temporary directory')
    .addOption(new Option('--data <file>', 'a bank data file to serve and deliver in full').conflicts('rows'))
    .option('--rows <n>', 'one generated account of this many rows', rowCount)
    .addOption(new Option('--provider <provider>', 'only this one').choices(linkableProviders(parties)))
    .option('--keep', 'keep the directory')
    .action(({ provider, data, rows, keep, json }: Options) =>
      actions.demo({
        provider: text(provider),
        data: text(data),
        rows: typeof rows === 'number' ? rows : undefined,
        keep: keep === true,
        json: json === true,
      }),
    );

  const account = group('account', 'account records: who uses the service');
  add(account, 'create', 'create an account record')
    .requiredOption('--email <address>', 'who it is for')
    .addOption(new Option('--plan <plan>', 'what it may do').choices(PLAN_NAMES))
    .option('--trial', 'start a trial')
    .option('--timezone <zone>', 'IANA zone name')
    .action(runs('account create'));
  add(account, 'update', 'change an account record')
    .argument('<account>', 'its id (acc_…)')
    .addOption(new Option('--plan <plan>', 'what it may do').choices(PLAN_NAMES))
    .addOption(new Option('--status <status>', 'its subscription').choices(ACCOUNT_RECORD_STATUSES))
    .option('--limit <limits>', 'connections=5,syncs=-1 (-1: unlimited), or plan for the limits of the plan')
    .option('--timezone <zone>', 'IANA zone name')
    .action((id: string, options: Options) => runs('account update')({ ...options, account: id }));
  add(account, 'list', 'list account records').action(runs('account list'));

  const key = group('key', 'API keys');
  add(key, 'create', 'create an API key and print its secret once')
    .requiredOption('--account <id>', 'whose key it is (acc_…)')
    .requiredOption('--name <name>', 'what to call it')
    .option('--scopes <scopes>', 'a,b or all')
    .option('--legacy', 'a key from before scopes: every read scope, no write scope')
    .option('--allowed-ips <list>', 'addresses and IPv4 ranges it works from, separated by commas')
    .option('--expires <when>', '2027-06-30 or 2027-06-30T12:00:00Z')
    .action(runs('key create'));

  const keys = group('keys', 'encryption keys');
  add(keys, 'rotate-encryption', 're-encrypt every secret under the newest encryption key, while serving')
    .option('--retire', 'drop the older keys from the key file, once nothing is sealed under them')
    .action(runs('keys rotate-encryption'));

  add(program, 'link', 'sandbox only: link a bank by completing its consent pages')
    .requiredOption('--account <id>', 'who links it (acc_…)')
    .requiredOption('--provider <provider>', `for example ${linkableProviders(parties).join(' or ')}`)
    .option('--institution <id>', 'which bank (inst_…); the sandbox bank by default')
    .option(
      '--persona <name>',
      `which customer of the bank: ${personaNames(parties).join(', ')} (N rows, for example rows:5000)`,
    )
    .action(runs('link'));
  return program;

  function runs(name: string): (options: Options) => Promise<void> {
    return ({ json, ...options }) => {
      const args = Object.entries(options).map(([option, value]) => [snake(option), value]);
      return actions.run(name, Object.fromEntries(args), json === true);
    };
  }
}

/** The exit code of what commander raised when it ended the program itself: help and version are no failures. */
export function exitCodeOf(error: CommanderError): number {
  return error.exitCode === 0 ? 0 : 2;
}

function snake(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function rowCount(value: string): number {
  const count = /^\d{1,8}$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > 50_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 50000000.');
  return count;
}

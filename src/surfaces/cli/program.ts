import { resolve } from 'node:path';
import { type CommanderError, InvalidArgumentError, Option, Command as Program } from 'commander';
import { DESTINATION_TYPES, type DestinationType } from '../../vocabulary/destination-kinds.ts';
import { MEMBER_ROLE_NAMES } from '../../vocabulary/member-roles.ts';
import { PLAN_NAMES } from '../../vocabulary/plans.ts';
import { SOFTWARE_VERSION } from '../../vocabulary/software-version.ts';
import { ACCOUNT_RECORD_STATUSES } from '../../vocabulary/states.ts';
import type { DocumentsArguments } from './client/documents.ts';
import { keyFile, passphraseFile } from './secret-files.ts';
import {
  deliverableTypes,
  linkableProviders,
  type OfferedIntegration,
  personaNames,
} from './simulated-integrations.ts';
import type { TailArguments } from './tail-events.ts';

/** What the program does once it has understood its arguments. */
export interface Actions {
  /** A command of the command table, with its arguments by the names of its schema. */
  run(name: string, args: Readonly<Record<string, unknown>>, json: boolean): Promise<void>;
  serve(roles: string | undefined, json: boolean): Promise<void>;
  doctor(options: { readonly isFixing: boolean; readonly json: boolean }): Promise<void>;
  restore(options: RestoreArguments): Promise<void>;
  demo(options: DemoArguments): Promise<void>;
  tail(options: TailArguments): Promise<void>;
  documents(options: DocumentsArguments): Promise<void>;
}

/** Where a command writes its output. `serve`, `demo` and `events tail` write to the process's own streams. */
export interface OutputStreams {
  out(text: string): void;
  error(text: string): void;
}

export type DemoArguments = {
  readonly data: string | undefined;
  readonly rows: number | undefined;
  /** The only provider to show; by default all that read bank accounts. */
  readonly provider: string | undefined;
  /** A statement file that is taken in place of linking a bank. */
  readonly statement: string | undefined;
  readonly keep: boolean;
  /** Where the rows go; a webhook by default. */
  readonly destination: DestinationType;
  /** Whether the service stays up afterwards. */
  readonly stay: boolean;
  readonly json: boolean;
};

export interface RestoreArguments {
  readonly file: string;
  /** Undefined: that of BACKUP_PASSPHRASE. */
  readonly passphrase: string | undefined;
  /** Whether a database that exists is put aside. */
  readonly replace: boolean;
  /** The text of a copy of the key file; undefined: the key file that is there. */
  readonly keys: string | undefined;
  readonly json: boolean;
}

type Options = Readonly<Record<string, unknown>>;

/** The command line (docs/command-line.md). */
export function programOf(
  actions: Actions,
  integrations: readonly OfferedIntegration[],
  streams: OutputStreams | null = null,
): Program {
  const program = new Program('tributary')
    .description(
      'A self-hostable financial data hub: link bank accounts once, read or forward the data anywhere.',
    )
    .version(SOFTWARE_VERSION)
    .exitOverride()
    .configureOutput(streams === null ? {} : { writeOut: streams.out, writeErr: streams.error })
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
  add(program, 'backup', 'write the embedded database to an encrypted file, while it is used')
    .argument('<file>', 'a new file, such as tributary.tar.gz.age')
    .addOption(passphraseFile())
    .action((file: string, { passphraseFile: passphrase, ...options }: Options) =>
      runs('backup')({
        ...options,
        ...(passphrase === undefined ? {} : { passphrase }),
        file: resolve(file),
      }),
    );
  add(program, 'restore', 'put the database of a backup into DATA_DIR; the service must not be running')
    .argument('<file>', 'what tributary backup wrote')
    .addOption(passphraseFile())
    .option('--replace', 'put the present database aside')
    .addOption(keyFile())
    .action((file: string, { passphraseFile: passphrase, replace, keyFile: keys, json }: Options) =>
      actions.restore({
        file: resolve(file),
        passphrase: text(passphrase),
        replace: replace === true,
        keys: text(keys),
        json: json === true,
      }),
    );
  add(program, 'doctor', 'check configuration, keys, storage, providers and addresses')
    .option('--fix', 'do what is safe about what is found')
    .action((options: Options) =>
      actions.doctor({ isFixing: options.fix === true, json: options.json === true }),
    );
  add(program, 'demo', 'run the main use case once, end to end, in a temporary directory')
    .addOption(new Option('--data <file>', 'a bank data file to serve and deliver in full').conflicts('rows'))
    .option('--rows <n>', 'one generated account of this many rows', rowCount)
    .addOption(
      new Option(
        '--provider <provider>',
        'the only provider to link (default: every provider of banks)',
      ).choices(linkableProviders(integrations)),
    )
    .addOption(
      new Option('--statement <file>', 'a statement file to take and deliver in full').conflicts([
        'data',
        'rows',
        'provider',
      ]),
    )
    .addOption(
      new Option('--destination <type>', 'where the rows go')
        .choices(deliverableTypes(integrations))
        .default('webhook'),
    )
    .option('--stay', 'keep the service up until Ctrl-C, to look at the rows')
    .option('--keep', 'keep the directory')
    .action(({ data, rows, provider, statement, destination, stay, keep, json }: Options) =>
      actions.demo({
        provider: text(provider),
        statement: text(statement),
        data: text(data),
        rows: typeof rows === 'number' ? rows : undefined,
        destination: DESTINATION_TYPES.find((type) => type === destination) ?? 'webhook',
        stay: stay === true,
        keep: keep === true,
        json: json === true,
      }),
    );

  const account = group('account', 'account records: who uses the service');
  add(account, 'create', 'create an account record')
    .requiredOption('--email <address>', 'who it is for')
    .option('--name <name>', 'what to call it, such as the name of a client')
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
    .addOption(
      new Option('--caching <choice>', 'whether data from banks may be cached for minutes').choices([
        'on',
        'off',
      ]),
    )
    .action((id: string, options: Options) => runs('account update')({ ...options, account: id }));
  add(account, 'list', 'list account records').action(runs('account list'));

  add(account, 'reset-password', 'print a link that sets a new password, once')
    .requiredOption('--email <address>', 'who signs in with it')
    .action(runs('account reset-password'));
  add(account, 'invite', 'print a link by which a person joins an account record')
    .requiredOption('--account <id>', 'which (acc_…)')
    .requiredOption('--email <address>', 'who')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(MEMBER_ROLE_NAMES).makeOptionMandatory(),
    )
    .action(runs('account invite'));
  add(account, 'members', 'list who shares an account record')
    .argument('<account>', 'its id (acc_…)')
    .action((id: string, options: Options) => runs('account members')({ ...options, account: id }));
  add(account, 'remove-member', 'remove a member from an account record at once')
    .requiredOption('--account <id>', 'which (acc_…)')
    .requiredOption('--email <address>', 'who')
    .action(runs('account remove-member'));
  add(account, 'remove-second-factor', 'let a person who lost their codes sign in with just their password')
    .requiredOption('--email <address>', 'their e-mail address')
    .action(runs('account remove-second-factor'));
  add(account, 'delete', 'delete an account record with everything in it, for good')
    .argument('<account>', 'its id (acc_…)')
    .requiredOption('--confirm <address>', 'its e-mail address, so that no other is deleted by mistake')
    .action((id: string, options: Options) => runs('account delete')({ ...options, account: id }));
  add(account, 'operator', 'list the operators of the installation, or change them')
    .option('--email <address>', 'who becomes an operator')
    .option('--remove', 'they are no longer an operator')
    .action(runs('account operator'));

  const key = group('key', 'API keys');
  add(key, 'create', 'create an API key and print its secret once')
    .requiredOption('--account <id>', 'whose key it is (acc_…)')
    .requiredOption('--name <name>', 'what to call it')
    .option('--scopes <scopes>', 'a,b or all')
    .option('--legacy', 'a key from before scopes: every read scope, no write scope')
    .option('--allowed-ips <list>', 'addresses and IPv4 ranges it works from, separated by commas')
    .option('--expires <when>', '2027-06-30 or 2027-06-30T12:00:00Z')
    .action(runs('key create'));

  const setupToken = group('setup-token', 'setup tokens of SimpleFIN apps');
  add(setupToken, 'create', 'create a setup token and print it once')
    .requiredOption('--account <id>', 'whose accounts the app reads (acc_…)')
    .requiredOption('--name <name>', 'what to call the app')
    .option('--two-decimals', 'send it amounts rounded to two decimals, as Actual Budget needs')
    .option('--leave-out-extra', 'send it no extra of accounts and transactions')
    .action(runs('setup-token create'));

  const apps = group('app', 'SimpleFIN apps');
  add(apps, 'list', 'list the apps of an account record')
    .requiredOption('--account <id>', 'whose apps (acc_…)')
    .action(runs('app list'));
  add(apps, 'rename', 'rename an app')
    .argument('<app>', 'its id (sfa_…)')
    .requiredOption('--name <name>', 'what to call it')
    .action((id: string, options: Options) => runs('app rename')({ ...options, app: id }));
  add(apps, 'update', 'change what an app is sent, and how')
    .argument('<app>', 'its id (sfa_…)')
    .addOption(
      new Option('--two-decimals <choice>', 'whether amounts are rounded to two decimals').choices([
        'on',
        'off',
      ]),
    )
    .addOption(
      new Option('--leave-out-extra <choice>', 'whether accounts and transactions have no extra').choices([
        'on',
        'off',
      ]),
    )
    .action((id: string, options: Options) => runs('app update')({ ...options, app: id }));
  add(apps, 'revoke', 'revoke an app at once, everywhere')
    .argument('<app>', 'its id (sfa_…)')
    .action((id: string, options: Options) => runs('app revoke')({ ...options, app: id }));

  const keys = group('keys', 'encryption keys');
  add(keys, 'rotate-encryption', 're-encrypt every secret under the newest encryption key, while serving')
    .option('--retire', 'drop the older keys from the key file, once nothing is sealed under them')
    .action(runs('keys rotate-encryption'));

  add(program, 'link', 'sandbox only: link a bank by completing its consent pages')
    .requiredOption('--account <id>', 'who links it (acc_…)')
    .requiredOption('--provider <provider>', `for example ${linkableProviders(integrations).join(' or ')}`)
    .option('--institution <id>', 'which bank (inst_…); the sandbox bank by default')
    .option(
      '--persona <name>',
      `which customer of the bank: ${personaNames(integrations).join(', ')} (N rows, for example rows:5000)`,
    )
    .action(runs('link'));

  add(program, 'export', 'write the rows of a sync to a file, as the sync delivers them')
    .argument('<sync>', 'its id (sync_…)')
    .addOption(
      new Option('--format <format>', 'how').choices(['csv', 'jsonl', 'ofx', 'ofx1', 'qif']).default('csv'),
    )
    .option('--from <day>', 'first day, YYYY-MM-DD (the first day of the sync by default)')
    .option('--to <day>', 'last day, included (today by default)')
    .option('--output <path>', 'the file, or a directory (the current one by default)', '.')
    .option('--bom', 'csv: begin with a byte order mark')
    .option('--keep-formulas', 'csv: leave cells that a spreadsheet would run as formulas')
    .action((id: string, options: Options) =>
      runs('export')({ ...options, sync: id, output: resolve(text(options.output) ?? '.') }),
    );

  add(program, 'documents', 'upload statement files to the service at TRIBUTARY_URL, and take their rows')
    .argument('[files...]', 'OFX, QFX, QIF, CSV, CAMT.053 or MT940')
    .option('--preview', 'only show what is new')
    .option('--account <id>', 'whose rows they are (acct_… or new), if they have no number')
    .option('--layout <file>', 'how a CSV is read, as JSON (as guessed or remembered by default)')
    .option('--watch <directory>', 'take each file that appears there, until Ctrl-C')
    .option('--done <directory>', 'with --watch: where taken files are moved (they stay by default)')
    .option(
      '--quiet <seconds>',
      'with --watch: how long a file must not have changed to be complete (10 by default)',
      wholeNumber,
    )
    .action((files: readonly string[], { preview, account: id, layout, watch, done, quiet, json }: Options) =>
      actions.documents({
        files,
        preview: preview === true,
        account: text(id),
        layout: text(layout),
        watch: text(watch),
        done: text(done),
        quiet: typeof quiet === 'number' ? quiet : undefined,
        json: json === true,
      }),
    );

  add(program, 'verify', 'compare the destination of a sync with the bank; exits with 1 if they differ')
    .argument('<sync>', 'its id (sync_…)')
    .action((id: string, options: Options) => runs('verify')({ ...options, sync: id }));

  const events = group('events', 'what happens to an account record');
  add(events, 'tail', 'print events as they happen, a line each, until Ctrl-C')
    .option('--account <id>', 'whose (acc_…); not needed where there is one account record')
    .option('--type <kinds>', 'only these kinds or families, separated by commas: sync_run.*,sync.attention')
    .option('--since <event>', 'start after this event (evt_…) instead of now')
    .action(({ account: id, type, since, json }: Options) =>
      actions.tail({
        account: text(id),
        type: text(type)
          ?.split(',')
          .map((one) => one.trim()),
        since: text(since),
        json: json === true,
      }),
    );

  const sandbox = group('sandbox', 'the simulators: faults, time, and what the banks do');
  add(sandbox, 'clock', 'show or move the clock that the service and its simulators share')
    .option('--forward <time>', 'how much further: 90m, 12h or 3d')
    .action(runs('sandbox clock'));
  add(sandbox, 'fault', 'list the faults that are armed at a simulator, or arm one')
    .requiredOption('--provider <name>', `whose simulator: ${linkableProviders(integrations).join(' or ')}`)
    .option('--kind <kind>', 'what goes wrong; docs/sandbox.md lists the kinds')
    .option('--route <route>', 'which requests: "GET /v1/banking/*", "/v1/token" or "*" (all by default)')
    .option('--count <n>', 'how many requests it affects (1 by default)', wholeNumber)
    .option('--probability <share>', 'the share of requests that it affects', share)
    .option('--after <n>', 'how many requests pass first', wholeNumber)
    .option('--latency-ms <n>', 'for latency', wholeNumber)
    .option('--account <id>', "the vendor's id of one account, for data misbehaviours")
    .option('--institution <id>', 'which bank (inst_…), for quirks of banks (all by default)')
    .option('--every <n>', 'one row of so many', wholeNumber)
    .option('--days <n>', 'days that the misbehaviour counts', wholeNumber)
    .option('--value <text>', 'what is written in place of what the bank says')
    .option('--status <n>', 'for refusal: 400 to 599', wholeNumber)
    .option('--retry-after <seconds>', 'for rate-limit and unavailable', wholeNumber)
    .option('--clear', 'disarm every fault')
    .action(runs('sandbox fault'));
  add(sandbox, 'institution', 'make a simulated bank work, work badly or be in outage')
    .argument('<institution>', 'its id (inst_…)')
    .addOption(
      new Option('--status <status>', 'what the vendor reports')
        .choices(['HEALTHY', 'DEGRADED', 'OUTAGE'])
        .makeOptionMandatory(),
    )
    .action((id: string, options: Options) => runs('sandbox institution')({ ...options, institution: id }));
  add(sandbox, 'row', 'enter a transaction at a simulated bank; without options, list the pending ones')
    .requiredOption('--account <id>', 'a linked account (acct_…)')
    .option('--amount <amount>', 'a signed decimal: -12.30')
    .option('--description <text>', 'what the statement says')
    .option('--pending', 'enter it as pending')
    .option('--settle <id>', 'post the pending transaction with this id of the bank')
    .option('--drop <id>', 'make the pending transaction with this id disappear')
    .action(runs('sandbox row'));
  return program;

  function runs(name: string): (options: Options) => Promise<void> {
    return ({ json, ...options }) => {
      const args = Object.entries(options).map(([option, value]) => [snake(option), value]);
      return actions.run(name, Object.fromEntries(args), json === true);
    };
  }
}

/** The exit code of what commander raised when it ended the program itself; help and version are not failures. */
export function exitCodeOf(error: CommanderError): number {
  return error.exitCode === 0 ? 0 : 2;
}

function snake(option: string): string {
  return option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

function share(value: string): number {
  if (!/^(?:0(?:\.\d{1,6})?|1(?:\.0+)?)$/.test(value))
    throw new InvalidArgumentError('It must be a number from 0 to 1.');
  return Number(value);
}

function rowCount(value: string): number {
  const count = /^\d{1,8}$/.test(value) ? Number(value) : 0;
  if (count < 1 || count > 50_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 50000000.');
  return count;
}

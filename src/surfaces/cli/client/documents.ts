import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { ApiError, AuthenticationError, PermissionError, Tributary, UnreachableError } from '#client';
import { layoutSchema } from '../../../operations/v2/documents/resource.ts';
import { explain } from '../explain.ts';
import { CommandFailure, EXIT, usageFailure } from '../failure.ts';
import { printable, table } from '../table.ts';
import {
  type CsvLayoutInput,
  type HandledFile,
  type TakeOptions,
  takeStatementFile,
} from './statement-files.ts';
import { type Handled, watchDirectory } from './watched-directory.ts';

export interface DocumentsArguments {
  readonly files: readonly string[];
  readonly preview: boolean;
  readonly account: string | undefined;
  /** A file with the layout of a CSV as JSON. */
  readonly layout: string | undefined;
  /** A directory whose files are taken as they appear, in place of `files`. */
  readonly watch: string | undefined;
  /** Where taken files are moved to. */
  readonly done: string | undefined;
  /** With `watch`: for how many seconds a file must not have changed to be complete. */
  readonly quiet: number | undefined;
  readonly json: boolean;
}

export interface DocumentsOutput {
  print(lines: string): void;
  note(message: string): void;
}

/** A file with its result; `error` if it was not taken. */
export type ReportedFile =
  | ({ readonly file: string; readonly error: null } & HandledFile)
  | { readonly file: string; readonly error: string };

type Environment = Readonly<Record<string, string | undefined>>;

/** A file of 10 MB takes seconds to read, and the feed of the same account is read as well. */
const TIMEOUT_MS = 300_000;
/** How long a watched file must not have changed to be complete, unless told otherwise: a download may stall. */
const QUIET_SECONDS = 10;

/**
 * `documents`: takes statement files over v2, those named or those that appear in a directory (docs/command-line.md).
 * Returns the exit code.
 * @throws CommandFailure for wrong arguments, and for a key that the service refuses
 */
export async function takeDocuments(
  args: DocumentsArguments,
  env: Environment,
  output: DocumentsOutput,
  signal: AbortSignal,
): Promise<number> {
  const { files, watch, done, preview, json } = args;
  if ((watch === undefined) === (files.length === 0))
    throw usageFailure('Name files, or a directory with --watch.');
  if (watch === undefined && done !== undefined) throw usageFailure('--done goes with --watch.');
  if (watch !== undefined && preview) throw usageFailure('--preview goes with files, not with --watch.');
  const layout = args.layout === undefined ? undefined : await layoutIn(args.layout);
  const options = { account: args.account, layout, preview, takeUndone: watch === undefined };
  if (watch === undefined) {
    const v2 = new Tributary({ ...reachedBy(env), timeoutMs: TIMEOUT_MS });
    return takeNamed(v2, files, options, json, output, signal);
  }
  const settings = { ...reachedBy(env), timeoutMs: TIMEOUT_MS, fetch: notingOutages(output, signal) };
  // A key that does not work is reported at once and not with the first file; a service that is down is waited for.
  const patient = new Tributary({ ...settings, retries: Number.POSITIVE_INFINITY });
  await orFailure(patient.documents.list({ limit: 1 }, { signal }).page(), signal);
  const v2 = new Tributary(settings);
  await watchDirectory(
    { directory: watch, done: done ?? null, quietMs: (args.quiet ?? QUIET_SECONDS) * 1_000 },
    (path, within) => takeWatched(v2, path, options, { json, output, signal: within }),
    output.note,
    signal,
  );
  return EXIT.ok;
}

/** A file whose content is refused stays until it changes; any other failure may pass. */
async function takeWatched(
  v2: Tributary,
  path: string,
  options: TakeOptions,
  { json, output, signal }: { json: boolean; output: DocumentsOutput; signal: AbortSignal },
): Promise<Handled> {
  let handled: Handled = 'left';
  const take = async (file: string): Promise<HandledFile> => {
    try {
      const result = await takeStatementFile(v2, file, options, signal);
      if (result.outcome !== 'undone') handled = 'taken';
      return result;
    } catch (error) {
      handled = afterFailure(error);
      throw error;
    }
  };
  const reported = await report(path, take, signal);
  if (reported !== null) output.print(json ? JSON.stringify(reported) : lineOf(reported));
  return handled;
}

function afterFailure(error: unknown): Handled {
  if (error instanceof CommandFailure) return 'left';
  if (!(error instanceof ApiError)) return { waitMs: 0 };
  return error.code === 'document_unusable' ? 'left' : { waitMs: error.retryAfterMs ?? 0 };
}

async function takeNamed(
  v2: Tributary,
  files: readonly string[],
  options: TakeOptions,
  json: boolean,
  { print, note }: DocumentsOutput,
  signal: AbortSignal,
): Promise<number> {
  const reported: ReportedFile[] = [];
  for (const file of files) {
    const one = await report(file, (path) => takeStatementFile(v2, path, options, signal), signal);
    if (one === null) return EXIT.failure;
    reported.push(one);
  }
  print(json ? JSON.stringify({ files: reported }) : shown(reported));
  const lacking = reported.flatMap(warningsOf);
  for (const warning of lacking) note(warning);
  if (reported.some(({ error }) => error !== null)) return EXIT.failure;
  return lacking.length > 0 ? EXIT.incomplete : EXIT.ok;
}

/** The result for a file; null if `signal` ended it. */
async function report(
  file: string,
  take: (path: string) => Promise<HandledFile>,
  signal: AbortSignal,
): Promise<ReportedFile | null> {
  try {
    return { file, error: null, ...(await take(file)) };
  } catch (error) {
    if (signal.aborted) return null;
    if (concernsKey(error)) throw failureOf(error);
    return { file, error: failureOf(error).message };
  }
}

/** Every other file would be refused as well. */
function concernsKey(error: unknown): boolean {
  return error instanceof AuthenticationError || error instanceof PermissionError;
}

function failureOf(error: unknown): CommandFailure {
  if (error instanceof ApiError) {
    const where = error.param === null ? '' : `${error.param}: `;
    return new CommandFailure(`${where}${error.message} (${error.code ?? error.status})`, { cause: error });
  }
  if (error instanceof UnreachableError) {
    return new CommandFailure(`${error.message}. Check TRIBUTARY_URL, and that the service is running.`, {
      cause: error,
    });
  }
  return new CommandFailure(explain(error).message, { cause: error });
}

async function orFailure<T>(asked: Promise<T>, signal: AbortSignal): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (signal.aborted) return null;
    throw failureOf(error);
  }
}

/** Where the service is, and the key for it. */
function reachedBy({ TRIBUTARY_URL: url = '', TRIBUTARY_API_KEY: apiKey = '' }: Environment): {
  readonly url: string;
  readonly apiKey: string;
} {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '') || apiKey === '') {
    throw usageFailure(
      'Set TRIBUTARY_URL to the address of the service and TRIBUTARY_API_KEY to a key with the scopes connections:read and connections:write.',
    );
  }
  return { url, apiKey };
}

async function layoutIn(file: string): Promise<CsvLayoutInput> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw usageFailure(`--layout: ${explain(error).message}`);
  });
  let layout: unknown;
  try {
    layout = JSON.parse(text);
  } catch {
    throw usageFailure(`--layout: ${file} is not JSON.`);
  }
  const whole = withColumns(layout);
  if (Value.Check(layoutSchema, whole)) return whole;
  const [problem] = Value.Errors(layoutSchema, whole);
  throw usageFailure(
    `--layout: ${file}: ${problem?.instancePath === '' ? 'it' : problem?.instancePath} ${problem?.message ?? 'is not a layout'}. See docs/statement-files.md#preview.`,
  );
}

/** The layout, in which a column that is not named is one that the file does not have. */
function withColumns(layout: unknown): unknown {
  if (!Value.Check(WITH_COLUMNS, layout)) return layout;
  const columns = Object.keys(layoutSchema.properties.columns.properties);
  const none = columns.filter((name) => !EVERY_CSV.includes(name)).map((name) => [name, null] as const);
  return { ...layout, columns: { ...Object.fromEntries(none), ...layout.columns } };
}

const WITH_COLUMNS = Type.Object({ columns: Type.Object({}) });
/** Columns that every CSV has. */
const EVERY_CSV = ['date', 'description'];

/** Fetch that says when the service stops answering and when it answers again. */
function notingOutages({ note }: DocumentsOutput, signal: AbortSignal): typeof fetch {
  let waiting = false;
  return async (input, init) => {
    const response = await fetch(input, init).catch((error: unknown) => {
      if (!waiting && !signal.aborted) note('Server unreachable. Waiting for it.');
      waiting = true;
      throw error;
    });
    const asks = response.status === 429 || response.status >= 500;
    if (asks && !waiting) note(`The service answered ${response.status}. Waiting.`);
    if (!asks && waiting) note('The service answers again.');
    waiting = asks;
    return response;
  };
}

const COLUMNS = [
  { title: 'File' },
  { title: 'Result' },
  { title: 'Account' },
  { title: 'Number' },
  { title: 'Currency' },
  { title: 'From' },
  { title: 'To' },
  ...['New', 'Known', 'Live', 'Pending', 'Unreadable'].map((title) => ({ title, align: 'right' }) as const),
];

function shown(files: readonly ReportedFile[]): string {
  const rows = files.flatMap((one) => {
    if (one.error !== null) return [[one.file, 'failed']];
    if (one.accounts.length === 0) return [[one.file, one.outcome]];
    return one.accounts.map((account) => [
      one.file,
      one.outcome,
      account.account ?? 'new',
      account.account_number ?? '',
      account.currency?.toUpperCase() ?? '',
      account.from ?? '',
      account.to ?? '',
      ...countsOf(account).map(String),
    ]);
  });
  return table(COLUMNS, rows);
}

/** One file of a watch, on a line. */
function lineOf(one: ReportedFile): string {
  if (one.error !== null) return printable(`${one.file}  failed  ${one.error}`);
  if (one.outcome === 'undone')
    return printable(
      `${one.file}  undone  Its rows were taken out. To take it again, name it without --watch.`,
    );
  const accounts = one.accounts.map((account) => {
    const [fresh, known, live, pending, unreadable] = countsOf(account);
    const currency = account.currency === null ? '' : ` ${account.currency.toUpperCase()}`;
    const lacking = unreadable === 0 ? '' : `, ${unreadable} unreadable`;
    return `${account.account}${currency}: ${fresh} new, ${known} known, ${live} live, ${pending} pending${lacking}`;
  });
  return printable(`${one.file}  ${one.outcome}  ${accounts.join('; ')}`);
}

function countsOf({
  new_rows: fresh,
  known_rows: known,
  live_rows: live,
  pending_rows: pending,
  unreadable_rows: unreadable,
}: HandledFile['accounts'][number]): readonly [number, number, number, number, number] {
  return [fresh, known, live, pending, unreadable];
}

function warningsOf(one: ReportedFile): readonly string[] {
  if (one.error !== null) return [printable(`${one.file}: ${one.error}`)];
  const unreadable = one.accounts.reduce((sum, { unreadable_rows: rows }) => sum + rows, 0);
  return [
    ...(one.doubts.length === 0
      ? []
      : [`The file leaves open ${one.doubts.join(', ')}. It is taken only with --layout.`]),
    ...(unreadable === 0 ? [] : [`${unreadable} rows could not be read and are left out.`]),
  ].map((warning) => printable(`${one.file}: ${warning}`));
}

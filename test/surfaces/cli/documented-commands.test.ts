import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { INTEGRATIONS } from '../../../src/app/integrations.ts';
import { programOf } from '../../../src/surfaces/cli/program.ts';
import { scriptsOf } from '../../house/manifest.ts';
import { ROOT, readText, readTree } from '../../house/tree.ts';

const PAGES = new Map([
  ...readTree('docs', '.md'),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'packages/client/README.md'].map(
    (path) => [path, readText(path)] as const,
  ),
]);
const SHELLS = /^( *)```(?:sh|bash|shell|console)\n([\s\S]*?)^ *```/gm;

/** What the pages run besides `tributary`, `npm` and `npx`: a misspelt name of ours is none of them. */
const PROGRAMS: ReadonlySet<string> = new Set(
  (
    'apt base64 bash bean-extract caddy call cat cd chmod chown cp createdb createuser curl docker dropdb echo export git grep hledger ' +
    'install journalctl kubectl mkdir mv openssl pg_dump pg_restore printf read set sh systemctl tee test touch tr umask useradd .'
  ).split(' '),
);
/** Commands of npm itself. */
const NPM: ReadonlySet<string> = new Set(['ci', 'install', 'ls', 'pack', 'publish', 'start', 'test']);

interface Documented {
  readonly page: string;
  readonly words: readonly string[];
}

/** The commands of a shell text: the words of each, without comments, contents of here-documents and what assigns. */
function commandsOf(page: string, script: string): Documented[] {
  const lines = script
    .replaceAll('\\\n', ' ')
    .replaceAll(/<<-?'?(\w+)'?(.*)\n[\s\S]*?\n *\1$/gm, '$2')
    .split('\n');
  return lines.flatMap((line) => simpleCommands(line.trim())).flatMap((words) => commandIn(page, words));
}

/** Splits a line where a shell does, and gives the words of each part. */
function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  const tokens =
    /(\s+)|(#.*$)|(&&|\|\||[;|()])|((?:"(?:\\.|\$\([^)]*\)|[^"\\])*"|'[^']*'|\$\([^)]*\)|\\.|[^\s;|()&'"]|&(?!&))+)/y;
  for (let at = 0; at < line.length; at = tokens.lastIndex) {
    tokens.lastIndex = at;
    const [whole, , comment, separator, word] = tokens.exec(line) ?? assert.fail(`not understood: ${line}`);
    if (whole === '') assert.fail(`not understood: ${line}`);
    if (comment !== undefined) break;
    if (separator !== undefined) commands.push([]);
    else if (word !== undefined) commands.at(-1)?.push(word.replaceAll(/^(['"])([\s\S]*)\1$/g, '$2'));
  }
  return commands.filter((words) => words.length > 0);
}

/** What a command runs in the end: without variables before it, without `sudo` and `env`, and inside `sh -c`. */
function commandIn(page: string, words: readonly string[]): Documented[] {
  const [first = '', ...rest] = words;
  if (first === '' || first === '}') return [];
  if (first === '{') return commandIn(page, rest);
  if (/^[A-Z_]+=/.test(first)) return commandIn(page, rest);
  if (first === 'env') return commandIn(page, rest);
  if (first === 'sudo') return commandIn(page, rest[0] === '-u' ? rest.slice(2) : rest);
  if (first === 'sh' && rest[0] === '-c') return commandsOf(page, rest[1] ?? '');
  if (first === 'docker' && rest.slice(0, 2).join(' ') === 'compose exec')
    return commandIn(page, rest.slice(rest[2] === '-T' ? 4 : 3));
  if (first === 'docker' && rest[0] === 'exec') return commandIn(page, rest.slice(2));
  if (first === 'kubectl' && rest[0] === 'exec') return commandIn(page, rest.slice(rest.indexOf('--') + 1));
  return [{ page, words }];
}

const fences = [...PAGES].flatMap(([page, text]) =>
  [...text.matchAll(SHELLS)].map(([, , script = '']) => ({ page, script })),
);
const documented = fences.flatMap(({ page, script }) => commandsOf(page, script));
const ofUs = documented.flatMap(({ page, words }) => {
  const own = words[0] === 'npx' && words[1] === 'tributary' ? words.slice(1) : words;
  return own[0] === 'tributary' ? [{ page, args: own.slice(1) }] : [];
});
const spans = [...PAGES].flatMap(([page, text]) =>
  [...text.replaceAll(SHELLS, '').matchAll(/`((?:(?:sudo|npx) )?tributary [a-z][^`]*|npm run [^`]*)`/g)].map(
    ([, span = '']) => ({ page, span: span.replace(/^(?:sudo|npx) /, '') }),
  ),
);

const nothing = async (): Promise<void> => undefined;
const program = (): Command =>
  programOf(
    {
      run: nothing,
      serve: nothing,
      doctor: nothing,
      demo: nothing,
      restore: nothing,
      tail: nothing,
      documents: nothing,
    },
    INTEGRATIONS,
    { out: () => undefined, error: () => undefined },
  );

/** Why the command line would refuse these arguments; null if it takes them. */
async function refusal(args: readonly string[]): Promise<string | null> {
  // The file of a passphrase is read while the arguments are.
  const readable = args.map((arg, at) =>
    ['--passphrase-file', '--key-file'].includes(args[at - 1] ?? '') ? import.meta.filename : arg,
  );
  try {
    await program().parseAsync(readable, { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? null : error.message;
  }
}

/** Why a script of package.json does not take what follows `npm run`; null if it does. */
async function scriptRefusal(words: readonly string[]): Promise<string | null> {
  const [name = '', dashes, ...args] = words;
  const script = scriptsOf()[name];
  if (script === undefined) return `package.json has no script "${name}"`;
  if (dashes !== undefined && dashes !== '--') return 'npm passes options on only after --';
  const [, subcommand] = /^exec node bin\/tributary\.js (.+)$/.exec(script) ?? [];
  if (subcommand !== undefined) return refusal([subcommand, ...args]);
  const file = /^node (\S+\.ts)/.exec(script)?.[1];
  const source = file === undefined ? '' : readText(file);
  const unknown = args
    .flatMap((arg) => /^\[?--([a-z-]+)/.exec(arg)?.[1] ?? [])
    .filter((option) => !new RegExp(`'--${option}'|^ {4}'?${option}'?: \\{ type`, 'm').test(source));
  return unknown.length === 0 ? null : `${file ?? name} does not take --${unknown.join(', --')}`;
}

describe('the commands of the documentation', () => {
  test('are parts of scripts that a shell can read', () => {
    assert.ok(fences.length > 40, `${fences.length}`);
    for (const { page, script } of fences) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
      assert.equal(status, 0, `${page}: ${stderr}${script}`);
    }
  });

  test('of tributary exist, with every option, and with what they require', async () => {
    assert.ok(ofUs.length > 40, `${ofUs.length}`);
    for (const { page, args } of ofUs)
      assert.equal(await refusal(args), null, `${page}: tributary ${args.join(' ')}`);
  });

  test('of npm, npx and others exist', async () => {
    const unknown: string[] = [];
    for (const { page, words } of documented) {
      const [program = '', first = '', ...rest] = words;
      const problem =
        program === 'tributary' || (program === 'npx' && first === 'tributary')
          ? null
          : program === 'npm'
            ? first === 'run'
              ? await scriptRefusal(rest)
              : NPM.has(first)
                ? null
                : `npm has no command "${first}"`
            : program === 'npx'
              ? existsSync(join(ROOT, 'node_modules/.bin', first))
                ? null
                : `no package brings "${first}"`
              : PROGRAMS.has(program)
                ? null
                : `"${program}" is not known`;
      if (problem !== null) unknown.push(`${page}: ${words.join(' ')}: ${problem}`);
    }
    assert.deepEqual(unknown, []);
  });

  test('that are named in a sentence exist, with the options that are named with them', async () => {
    assert.ok(spans.length > 60, `${spans.length}`);
    const wrong: string[] = [];
    for (const { page, span } of spans) {
      const problem = await spanProblem(span);
      if (problem !== null) wrong.push(`${page}: ${span}: ${problem}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('that messages of the service name exist as well', async () => {
    const named = ['src/app', 'src/features', 'src/surfaces']
      .flatMap((folder) => [...readTree(folder)])
      .flatMap(([path, source]) =>
        [...source.matchAll(/\btributary [a-z][a-z-]*(?: [a-z-]+)*/g)].map(([span]) => ({ path, span })),
      );
    assert.ok(named.length > 20, `${named.length}`);
    for (const { path, span } of named) assert.equal(await spanProblem(span), null, `${path}: ${span}`);
  });

  test('would be found wrong', async () => {
    assert.match((await refusal(['account', 'create'])) ?? '', /--email/);
    assert.match((await refusal(['doctor', '--deep'])) ?? '', /--deep/);
    assert.match((await refusal(['docter'])) ?? '', /docter/);
    assert.match((await spanProblem('tributary acount list')) ?? '', /acount/);
    assert.match((await spanProblem('tributary account list --all')) ?? '', /--all/);
    assert.match((await scriptRefusal(['torture', '--', '--every'])) ?? '', /--every/);
    assert.match((await scriptRefusal(['demos'])) ?? '', /demos/);
    assert.deepEqual(
      commandsOf('', `sudo -u a env B=c sh -c 'set -a; npx tributary doctor' # d\nE=f g && h "i j" | k`).map(
        ({ words }) => words,
      ),
      [['set', '-a'], ['npx', 'tributary', 'doctor'], ['g'], ['h', 'i j'], ['k']],
    );
  });
});

async function spanProblem(span: string): Promise<string | null> {
  if (span.startsWith('npm run ')) return scriptRefusal(span.split(' ').slice(2));
  const names = span.split(' ').slice(1);
  let command = program();
  for (const name of names) {
    if (command.commands.length === 0) break;
    const next = command.commands.find((one) => one.name() === name);
    if (next === undefined) return `there is no command "${name}"`;
    command = next;
  }
  const options = new Set(command.options.map(({ long }) => long ?? ''));
  const unknown = [...span.matchAll(/--[a-z-]+/g)]
    .map(([option]) => option)
    .filter((one) => !options.has(one));
  return unknown.length === 0 ? null : `it has no ${unknown.join(', ')}`;
}

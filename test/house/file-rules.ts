import { codeOnly } from './code-only.ts';

export type Rule =
  | 'any'
  | 'cast'
  | 'silenced checker'
  | 'unfinished'
  | 'clock'
  | 'console'
  | 'default export'
  | 'environment'
  | 'pure vocabulary'
  | 'machine path';

interface Check {
  readonly rule: Rule;
  readonly pattern: RegExp;
  /** Look at the code alone, not at comments and texts. */
  readonly codeAlone: boolean;
  readonly applies: (path: string) => boolean;
}

const everywhere = () => true;
const within =
  (...starts: readonly string[]) =>
  (path: string) =>
    starts.some((start) => path.startsWith(start));
const outside =
  (...starts: readonly string[]) =>
  (path: string) =>
    !within(...starts)(path);

/** A type position: after a colon, a bracket, a comma, a bar, an arrow or `as`. */
const ANY = /(?:[:<,|&(=]\s*|\bas\s+)any\b(?!\s*\()/;
/** `as const` fixes a literal and `x as y` in an import renames; any other `as` silences the compiler. */
const CAST = /[\w)\]}'"`]\s+as\s+(?!const\b)[\w{([]/;

const CHECKS: readonly Check[] = [
  { rule: 'any', pattern: ANY, codeAlone: true, applies: everywhere },
  { rule: 'cast', pattern: CAST, codeAlone: true, applies: everywhere },
  {
    rule: 'silenced checker',
    pattern: /@ts-(?:ignore|expect-error|nocheck)|biome-ignore|eslint-disable/,
    codeAlone: false,
    applies: everywhere,
  },
  { rule: 'unfinished', pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/, codeAlone: false, applies: everywhere },
  {
    rule: 'clock',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)/,
    codeAlone: true,
    applies: outside('src/platform/clock.ts', 'web/src/format/clock.ts', 'sandbox/'),
  },
  { rule: 'console', pattern: /\bconsole\s*\./, codeAlone: true, applies: everywhere },
  {
    rule: 'default export',
    pattern: /^export\s+default\b|^export\s*\{[^}]*\bas\s+default\b/,
    codeAlone: true,
    applies: everywhere,
  },
  {
    rule: 'environment',
    pattern: /\bprocess\.env\b/,
    codeAlone: true,
    applies: (path) => path !== 'src/main.ts',
  },
  {
    rule: 'pure vocabulary',
    pattern: /\bMath\.random\b|\bcrypto\b|\bprocess\b|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(/,
    codeAlone: true,
    applies: within('src/vocabulary/'),
  },
  {
    rule: 'pure vocabulary',
    pattern: /from 'node:/,
    codeAlone: false,
    applies: within('src/vocabulary/'),
  },
  {
    rule: 'machine path',
    pattern: /['"`\s]\/(?:home|work|Users|root)\//,
    codeAlone: false,
    applies: everywhere,
  },
];

/** Rules a file breaks, as `path:line: rule`. */
export function rulesBroken(path: string, source: string): string[] {
  const code = codeOnly(withoutImports(source)).split('\n');
  const text = source.split('\n');
  return CHECKS.filter((check) => check.applies(path)).flatMap((check) =>
    (check.codeAlone ? code : text).flatMap((line, at) =>
      check.pattern.test(line) ? [`${path}:${at + 1}: ${check.rule}`] : [],
    ),
  );
}

/** Import statements rename with `as`; they are blanked, and lines stay in place. */
function withoutImports(source: string): string {
  return source.replace(/^import\b[^;]*;/gm, (statement) => statement.replace(/[^\n]/g, ' '));
}

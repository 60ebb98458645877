/** One import, dynamic import or re-export of a file. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly reExport: boolean;
  readonly defaulted: boolean;
  /** Whether what it names is loaded with the file, is loaded when it is asked for, or is a type and never loaded. */
  readonly loaded: 'at once' | 'later' | 'never';
}

const IMPORT = /^import\s+(?:type\s+)?(?:([\w$*{},\s]+?)\s+from\s+)?(['"])([^'"\n]+)\2/gm;
const RE_EXPORT = /^export\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*(['"])([^'"\n]+)\1/gm;
const DYNAMIC = /\bimport\s*\(\s*(?:(['"])([^'"\n]+)\1)?/g;
const THREAD = /\bnew Worker\(\s*(?:new URL\(\s*(['"])([^'"\n]+)\1\s*,\s*import\.meta\.url\s*\))?/g;
/** A file that is started as a separate process; a program that starts itself imports nothing. */
const SCRIPT =
  /(?<!new Worker\(\s*)\bnew URL\(\s*(['"])([^'"\n]+(?<!\/main)\.ts)\1\s*,\s*import\.meta\.url\s*\)/g;
const STATEMENT = /^import\b(?!\s*[.(])/gm;
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*).*$/gm;

/**
 * Every way a file names another. Reads formatted source, where a statement begins its line; a statement it cannot
 * read makes it raise instead of being overlooked.
 */
export function importsOf(source: string): Import[] {
  const text = source.replace(COMMENT_LINE, '');
  const lineOf = (index: number) => text.slice(0, index).split('\n').length;
  const found: Import[] = [];
  for (const match of text.matchAll(IMPORT)) {
    const [, names = '', , specifier = ''] = match;
    const defaulted = /^[\w$]/.test(names.trim());
    const loaded = /^import\s+type\b/.test(match[0]) ? 'never' : 'at once';
    found.push({ specifier, line: lineOf(match.index), reExport: false, defaulted, loaded });
  }
  if (found.length !== [...text.matchAll(STATEMENT)].length) {
    throw new Error('an import statement could not be read');
  }
  for (const match of text.matchAll(RE_EXPORT)) {
    found.push({
      specifier: match[2] ?? '',
      line: lineOf(match.index),
      reExport: true,
      defaulted: false,
      loaded: 'at once',
    });
  }
  for (const match of text.matchAll(DYNAMIC)) {
    if (match[2] === undefined)
      throw new Error(`line ${lineOf(match.index)}: a dynamic import must name its file`);
    found.push({
      specifier: match[2],
      line: lineOf(match.index),
      reExport: false,
      defaulted: false,
      loaded: 'later',
    });
  }
  for (const match of text.matchAll(THREAD)) {
    if (match[2] === undefined) throw new Error(`line ${lineOf(match.index)}: a thread must name its file`);
    found.push({
      specifier: match[2],
      line: lineOf(match.index),
      reExport: false,
      defaulted: false,
      loaded: 'later',
    });
  }
  for (const match of text.matchAll(SCRIPT))
    found.push({
      specifier: match[2] ?? '',
      line: lineOf(match.index),
      reExport: false,
      defaulted: false,
      loaded: 'later',
    });
  return found;
}

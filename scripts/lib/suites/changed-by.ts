import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What makes suites run otherwise than in `npm test`: on servers, or on more cases. */
export const VARIABLES = [
  'DATABASE_URL',
  'REDIS_URL',
  'THOROUGH',
  'FAULT_STEP',
  'MCP_ARGUMENT_SETS',
] as const;

/** Types are never loaded. */
const TYPES = /^import type [^;]*;/gm;
/** Modules that a file loads, at once or later, and those it starts as threads or processes. */
const RELATIVE = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.[^'\n]+\.ts)'/g;

interface Module {
  readonly text: string;
  /** Paths from the root. */
  readonly imports: readonly string[];
}

/**
 * Of these test files, given as paths from `root`, those in which something reads one of the variables: the others do
 * the same whether they are set or not. With no variable every file counts.
 */
export function changedBy(variables: readonly string[], paths: readonly string[], root: string): string[] {
  if (variables.length === 0) return [...paths];
  const reads = new RegExp(`process\\.env\\.(?:${variables.join('|')})\\b`);
  const modules = new Map<string, Module>();
  const moduleAt = (path: string): Module => {
    const known = modules.get(path) ?? readModule(path, root);
    modules.set(path, known);
    return known;
  };
  return paths.filter((path) => {
    const seen = new Set([path]);
    for (const one of seen) {
      const { text, imports } = moduleAt(one);
      if (reads.test(text)) return true;
      for (const imported of imports) seen.add(imported);
    }
    return false;
  });
}

function readModule(path: string, root: string): Module {
  const file = join(root, path);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const imports = [...text.replace(TYPES, '').matchAll(RELATIVE)].map(([, specifier = '']) =>
    join(dirname(path), specifier),
  );
  return { text, imports };
}

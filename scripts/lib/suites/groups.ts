import { OWN_PROCESS } from './own-process.ts';

/** Test files that run one after another in one process. */
export interface Group {
  /** Its position in the order of starting, and the folder or file with which it begins. */
  readonly name: string;
  readonly paths: readonly string[];
}

/** Enough to share the cost of loading the service; few enough that a process stays small and the cores stay busy. */
const MOST_FILES = 40;

/**
 * Divides test files, as paths from the root, into groups in the order in which they should start: those with their own
 * process first, as their table lists them, then neighbours in a folder together. The same files always give the same
 * groups.
 */
export function groupsOf(paths: readonly string[], mostFiles = MOST_FILES): Group[] {
  const found = new Set(paths);
  const alone = [...OWN_PROCESS.keys()].filter((path) => found.has(path)).map((path) => [path]);
  const shared = chunks(paths.filter((path) => !OWN_PROCESS.has(path)).toSorted(), mostFiles);
  return [...alone, ...shared].map((members, at) => ({
    name: `${String(at + 1).padStart(3, '0')}-${nameOf(members)}`,
    paths: members,
  }));
}

/** Of equal size but for one file, so that no process is left with a single small file. */
function chunks(paths: readonly string[], mostFiles: number): string[][] {
  const count = Math.ceil(paths.length / mostFiles);
  return Array.from({ length: count }, (_, at) =>
    paths.slice(Math.floor((at * paths.length) / count), Math.floor(((at + 1) * paths.length) / count)),
  );
}

function nameOf([first = '']: readonly string[]): string {
  return first
    .replace(/^test\//, '')
    .replace(/\.(test|browser)\.ts$/, '')
    .replaceAll('/', '-');
}

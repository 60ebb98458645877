/** More files than that do not fail by accident. */
const MOST_FAILED = 3;
/** How the test runner reports an error that belongs to no test. */
const OF_NO_TEST = /^# .*caught by the test runner/m;

/** Options of `node --test`: its usual output, and also the results as TAP in a file. */
export function reportersTo(file: string): readonly string[] {
  return [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${file}`,
  ];
}

/**
 * The test files of `paths` that failed, by the results of a run (TAP, in which every file is an outermost test): those
 * worth a retry. None if there are many, if a whole process failed, or with an error that belongs to no test.
 */
export function failedFiles(tap: string, paths: readonly string[]): readonly string[] {
  if (OF_NO_TEST.test(tap)) return [];
  const failed = [...tap.matchAll(/^not ok \d+ - (.+)$/gm)].map(([, name = '']) => name);
  const known = new Set(paths);
  return failed.length <= MOST_FAILED && failed.every((name) => known.has(name)) ? failed : [];
}

const TRACKING = new URL('./tracking.ts', import.meta.url).href;
const RUN_FILES = new URL('./run-files.ts', import.meta.url).href;
/** Long enough for connections to time out. */
const OPEN_MS = 30_000;

/** The program of a process that runs these test files, given as paths from the root, and ends `openMs` after them. */
export function entryOf(paths: readonly string[], openMs = OPEN_MS): string {
  return [
    // First, because it has to see the test runner being loaded.
    `import ${JSON.stringify(TRACKING)};`,
    `const { runFiles } = await import(${JSON.stringify(RUN_FILES)});`,
    `await runFiles(${JSON.stringify(paths)}, ${String(openMs)});`,
    '',
  ].join('\n');
}

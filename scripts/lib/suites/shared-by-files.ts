type Close = () => Promise<void>;

let afterLastFile: Close[] | null = null;

/**
 * Leaves something that takes long to open to the test files that follow in this process: it is closed after the last.
 * False if a file runs without the suites, so that nothing would close it.
 */
export function closeAfterLastFile(close: Close): boolean {
  afterLastFile?.push(close);
  return afterLastFile !== null;
}

/** Runs the files, then closes what they have left for one another. */
export async function sharing(runFiles: () => Promise<void>): Promise<void> {
  afterLastFile = [];
  await runFiles();
  const closes = afterLastFile;
  afterLastFile = null;
  for (const close of closes) await close();
}

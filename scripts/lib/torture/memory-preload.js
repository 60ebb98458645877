import { appendFileSync } from 'node:fs';

// Loaded before the service, with --expose-gc: on SIGUSR2 it collects all garbage and writes what is left to the file.
const path = process.env.SOAK_MEMORY ?? '';
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  appendFileSync(
    path,
    `${JSON.stringify({ at: Date.now(), pid: process.pid, rss, live: heapUsed + external })}\n`,
  );
});

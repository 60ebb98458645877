import { appendFileSync } from 'node:fs';
import { getHeapCodeStatistics } from 'node:v8';

// Loaded before the service, with --expose-gc: on SIGUSR2 it collects all garbage and writes what is left to the file.
// Compiled code is counted apart: V8 compiles what runs often and drops what has not run for a while, so it rises and
// falls for hours, and is no more than the program.
const path = process.env.SOAK_MEMORY ?? '';
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  const { code_and_metadata_size: machine, bytecode_and_metadata_size: bytes } = getHeapCodeStatistics();
  const code = machine + bytes;
  const sample = { at: Date.now(), pid: process.pid, rss, live: heapUsed + external - code, code };
  appendFileSync(path, `${JSON.stringify(sample)}\n`);
});

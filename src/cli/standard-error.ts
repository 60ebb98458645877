import { writeSync } from 'node:fs';

/** Where commands log: standard output belongs to their result. Written at once, so that a crash loses no line. */
export const standardError = {
  write(line: string): void {
    writeSync(2, line);
  },
};

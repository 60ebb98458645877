import { readFileSync } from 'node:fs';

/** What /proc counts in: USER_HZ, which is 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the name of the program, which may contain spaces: utime and stime. */
const [UTIME, STIME] = [11, 12];

/** Seconds that a process spent on the processor, all threads together; on Linux only. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS_PER_SECOND;
}

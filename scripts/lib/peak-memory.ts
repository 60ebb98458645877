import { readFileSync } from 'node:fs';

const SAMPLE_MS = 10;
export const MIB = 2 ** 20;

/** The peak memory of a process, in bytes; null if the system does not report it (only Linux does). */
export function peakMemoryOf(pid: number): number | null {
  return memoryField(pid, 'VmHWM');
}

/** Watches how much memory a process and its children use together; `stop` returns the peak, in bytes. */
export function watchMemory(pid: number): { readonly stop: () => number } {
  let most = 0;
  const timer = setInterval(() => {
    // A child shares the pages of the program itself with its parent.
    const children = childrenOf(pid).map((child) => memoryField(child, 'RssAnon') ?? 0);
    const all = [memoryField(pid, 'VmRSS') ?? 0, ...children];
    most = Math.max(
      most,
      all.reduce((sum, bytes) => sum + bytes, 0),
    );
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

function memoryField(pid: number, name: 'VmHWM' | 'VmRSS' | 'RssAnon'): number | null {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

function childrenOf(pid: number): number[] {
  return [...read(`/proc/${pid}/task/${pid}/children`).matchAll(/\d+/g)].map(([child]) => Number(child));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

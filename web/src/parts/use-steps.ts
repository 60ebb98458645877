import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { advance, type Steps } from './steps.ts';

// Slices are apart by a message, which is delivered after input and drawing had their turn; a timer would add four
// milliseconds to each.

/**
 * The result of work that may take longer than a frame. What ends within a slice is there at once. Otherwise the work
 * goes on between frames, and what was returned last stays until it ends: null if that was nothing.
 * @param begin starts the work; a new function means other work, so it comes from `useCallback`
 */
export function useSteps<T>(begin: () => Steps<T>): T | null {
  const { steps, progress } = useMemo(() => {
    const steps = begin();
    return { steps, progress: advance(steps) };
  }, [begin]);
  const [ended, setEnded] = useState<{ readonly of: Steps<T>; readonly value: T } | null>(null);
  const last = useRef<T | null>(null);
  const result = progress.done ? progress.value : ended?.of === steps ? ended.value : last.current;
  useEffect(() => {
    last.current = result;
  }, [result]);
  useEffect(() => {
    if (progress.done) return;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const next = advance(steps);
      if (next.done) startTransition(() => setEnded({ of: steps, value: next.value }));
      else port2.postMessage(null);
    };
    port2.postMessage(null);
    return () => port1.close();
  }, [steps, progress]);
  return result;
}

/** The result of work that gives input and drawing their turn between slices. Raises the reason of the signal. */
export async function inSlices<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  try {
    for (let next = advance(steps); ; next = advance(steps)) {
      if (next.done) return next.value;
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
      signal.throwIfAborted();
    }
  } finally {
    port1.close();
  }
}

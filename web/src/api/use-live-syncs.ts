import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useEvents } from './use-events.ts';

/** Many runs may begin and end at once: what is shown is read again at most this often. */
const APART_MS = 1_500;

/** Everything about syncs and their runs that pages have read. */
const KEYS = [['syncs'], ['sync-runs'], ['sync-run']] as const;

/** While the component is shown, syncs and runs are read again when an event says that one of them changed. */
export function useLiveSyncs(): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const last = useRef(0);
  const readAgain = () => {
    if (timer.current !== undefined) return;
    const wait = Math.max(0, last.current + APART_MS - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      last.current = performance.now();
      for (const queryKey of KEYS) queries.invalidateQueries({ queryKey });
    }, wait);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents({
    onEvent: ({ type }) => {
      if (type.startsWith('sync')) readAgain();
    },
    onGap: readAgain,
  });
}

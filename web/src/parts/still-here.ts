import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';

/** Called when something begins; what it returns says later whether the person is still there. */
export type StillHere = () => () => boolean;

/**
 * For what takes a while and then opens a page: called in `onMutate`. A person who has gone to another page meanwhile, or
 * has closed the part that asked for it, is doing something else, and no page may open in front of them.
 */
export function useStillHere(): StillHere {
  const { history } = useRouter();
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return useCallback(() => {
    const { pathname } = history.location;
    return () => shown.current && history.location.pathname === pathname;
  }, [history]);
}

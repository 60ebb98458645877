let ended = false;
const watchers = new Set<() => void>();

/**
 * Whether the session has ended while a page is shown, and a way to hear of changes, in the form `useSyncExternalStore`
 * takes. The page stays: what has been typed into it must not be lost.
 */
export const endedSession = {
  read: () => ended,
  watch: (watcher: () => void) => {
    watchers.add(watcher);
    return () => {
      watchers.delete(watcher);
    };
  },
};

/** The service has refused a request without a session, or has answered one again. */
export function setSessionEnded(now: boolean): void {
  if (ended === now) return;
  ended = now;
  for (const watcher of watchers) watcher();
}

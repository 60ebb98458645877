import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { UnreachableError } from '#client';
import { loadScript, whenReachable } from '../api/new-release.ts';
import { Problem } from './page-states.tsx';

interface LaterPart<P> {
  /** One of its own, for the browser's storage. */
  readonly name: string;
  readonly load: () => Promise<ComponentType<P>>;
  readonly loading: (props: P) => ReactNode;
  /** The frame of the message if it cannot be loaded. */
  readonly failed?: (problem: ReactNode) => ReactNode;
}

/**
 * A part of the application whose script is loaded when it is first shown, or earlier by `preload`. If that fails, the
 * rest stays, and the part offers to try again; while the service does not answer, it also retries automatically.
 */
export function laterPart<P extends object>({
  name,
  load,
  loading,
  failed = (problem) => problem,
}: LaterPart<P>) {
  let Loaded: ComponentType<P> | null = null;
  let running: Promise<void> | null = null;
  const begin = () => {
    running ??= loadScript(name, load)
      .then((part) => {
        Loaded = part;
      })
      .finally(() => {
        running = null;
      });
    return running;
  };
  function Later(props: P) {
    const [, setLoaded] = useState(Loaded !== null);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      if (Loaded !== null || error !== null) return;
      let shown = true;
      begin().then(
        () => shown && setLoaded(true),
        (reason: unknown) => shown && setError(reason),
      );
      return () => {
        shown = false;
      };
    }, [error]);
    useEffect(() => {
      if (!(error instanceof UnreachableError)) return;
      return whenReachable(async () => {
        await begin();
        setError(null);
      });
    }, [error]);
    if (Loaded !== null) return <Loaded {...props} />;
    if (error === null) return loading(props);
    return failed(<Problem error={error} again={() => setError(null)} />);
  }
  return Object.assign(Later, {
    preload: () => (Loaded === null ? begin().catch(() => undefined) : undefined),
  });
}

import { useSyncExternalStore } from 'react';
import { Icon } from '../parts/icon.tsx';
import { SHELL } from '../text/shell.ts';
import classes from './shell.module.css';

function watch(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** Says that the device has no network: what is shown stays, and is as old as the network is away. */
export function Offline() {
  const online = useSyncExternalStore(watch, () => navigator.onLine);
  return (
    <div role="status">
      {online ? null : (
        <p className={classes.offline}>
          <Icon name="warning" />
          {SHELL.offline}
        </p>
      )}
    </div>
  );
}

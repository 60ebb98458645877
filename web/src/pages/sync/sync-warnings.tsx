import { Button } from '@mantine/core';
import type { Sync } from '#client';
import { useAccountNames } from '../../api/accounts.ts';
import { OwnerOnly } from '../../parts/owner-only.tsx';
import { SYNC_WARNINGS } from '../../text/syncs.ts';
import classes from '../syncs/syncs.module.css';

interface SyncWarningsProps {
  readonly sync: Sync;
  /** Opens the choice of accounts. */
  readonly onAccounts: () => void;
}

/** What the settings of a sync bring about that may not be wanted. Nothing where there is nothing. */
export function SyncWarnings({ sync: { warnings }, onAccounts }: SyncWarningsProps) {
  const nameOf = useAccountNames();
  return warnings.map(({ code, accounts }) => {
    const { title, text, action } = SYNC_WARNINGS[code];
    return (
      <div key={accounts.join()} className={classes.attention}>
        <div className={classes.attentionWords}>
          <p className={classes.attentionTitle}>{title}</p>
          <p>{text(accounts.map(nameOf))}</p>
        </div>
        <OwnerOnly scope="syncs:write" otherwise="sentence">
          <Button size="xs" onClick={onAccounts}>
            {action}
          </Button>
        </OwnerOnly>
      </div>
    );
  });
}

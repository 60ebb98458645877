import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '#client';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { API_KEYS } from '../../text/api-keys.ts';
import { PROBLEMS } from '../../text/problems.ts';
import classes from '../developer/developer.module.css';

interface RotateDialogProps {
  readonly apiKey: ApiKey;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: (grace: string) => void;
  readonly onClose: () => void;
}

const GRACES = Object.entries(API_KEYS.rotating.graces).map(([value, label]) => ({ value, label }));
/** Time enough to change a program's configuration, and no more than a day of two valid keys. */
const USUAL = '24h';

/** Asks for how long the old key shall go on working. */
export function RotateDialog({ apiKey, busy, error, onConfirm, onClose }: RotateDialogProps) {
  const [grace, setGrace] = useState<string>(USUAL);
  const words = API_KEYS.rotating;
  return (
    <Dialog title={words.title(apiKey.name)} onClose={onClose}>
      <div className={classes.stack}>
        {error === null ? null : <Problem error={error} title={API_KEYS.failed.rotate(apiKey.name)} />}
        <p>{words.text}</p>
        <NativeSelect
          label={words.grace}
          value={grace}
          data={GRACES}
          onChange={({ currentTarget }) => setGrace(currentTarget.value)}
        />
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {PROBLEMS.cancel}
        </Button>
        <Button loading={busy} onClick={() => onConfirm(grace)}>
          {words.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

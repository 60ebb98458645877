import { Button } from '@mantine/core';
import { useState } from 'react';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import { Check } from '../parts/fields.tsx';
import { listKeysOn, turnListKeys } from '../parts/list-keys.ts';
import { SHELL } from '../text/shell.ts';
import classes from './shell.module.css';

/** The keys of lists, and whether they do anything. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [on, setOn] = useState(listKeysOn);
  const { title, all, use, hint, close } = SHELL.keys;
  return (
    <Dialog title={title} onClose={onClose}>
      <dl className={classes.keys}>
        {all.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Check
        label={use}
        hint={hint}
        checked={on}
        onChange={(checked) => {
          turnListKeys(checked);
          setOn(checked);
        }}
      />
      <DialogActions>
        <Button onClick={onClose}>{close}</Button>
      </DialogActions>
    </Dialog>
  );
}

import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import { CancelButton, Dialog, DialogActions } from './dialog.tsx';
import form from './form.module.css';
import { Problem } from './page-states.tsx';

interface NameDialogProps {
  readonly title: string;
  readonly label: string;
  readonly name: string;
  readonly maxLength: number;
  readonly busy: boolean;
  /** Why it was not saved, or null. */
  readonly error: unknown;
  readonly failed: string;
  /** The label of the button; by default, that of saving. */
  readonly action?: string;
  /** Further fields, below the name. */
  readonly children?: ReactNode;
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
}

/** Asks for a name. */
export function NameDialog({
  title,
  label,
  name,
  maxLength,
  busy,
  error,
  failed,
  action = PROBLEMS.save,
  children,
  onSave,
  onClose,
}: NameDialogProps) {
  const [text, setText] = useState(name);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') onSave(text.trim());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {error === null ? null : <Problem error={error} title={failed} />}
      <form onSubmit={save}>
        <div className={form.form}>
          <TextInput
            label={label}
            value={text}
            maxLength={maxLength}
            required
            withAsterisk={false}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          {children}
        </div>
        <DialogActions>
          <CancelButton onClose={onClose} />
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

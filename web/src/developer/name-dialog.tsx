import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog, DialogActions } from '../parts/dialog.tsx';
import form from '../parts/form.module.css';
import { Problem } from '../parts/page-states.tsx';
import { PROBLEMS } from '../text/problems.ts';

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
          <Button variant="default" onClick={onClose}>
            {PROBLEMS.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

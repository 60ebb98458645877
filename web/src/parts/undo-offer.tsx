import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { undoApi } from '../api/client.ts';
import { PROBLEMS } from '../text/problems.ts';
import { Icon } from './icon.tsx';
import classes from './notice.module.css';
import { Problem } from './page-states.tsx';

/** Something that was just done and can be taken back. */
export interface Undoable {
  readonly title: string;
  readonly text?: string;
  /**
   * Returns, or resolves with, a text if something could not be taken back and stays as it is. It writes by the `api`
   * that it is given, so that it goes on when the page is left.
   */
  readonly undo: (api: typeof undoApi) => unknown;
  /** What to say if it cannot be taken back. */
  readonly failed: string;
  /** What could be done next. */
  readonly also?: { readonly label: string; readonly onClick: () => void };
}

export interface Offer {
  readonly at: number;
  readonly done: Undoable;
}

interface UndoOfferProps {
  readonly offer: Offer;
  /** Withdraws the offer of this number, unless another one has taken its place. */
  readonly onClose: (at: number) => void;
}

const SHOWN_MS = 20_000;
const UNDONE_MS = 4_000;

/**
 * Stays while the pointer or the focus is in it, so that no one has to hurry. After a while it is no longer seen, and the
 * keys still undo until something else can be undone or the offer is dismissed.
 */
export function UndoOffer({ offer: { at, done }, onClose }: UndoOfferProps) {
  const { title, text, failed, also } = done;
  const [held, setHeld] = useState(false);
  const [faded, setFaded] = useState(false);
  const undo = useMutation({
    mutationFn: async () => {
      const left = await done.undo(undoApi);
      return typeof left === 'string' ? left : null;
    },
  });
  const left = undo.data ?? null;
  const { mutate, status } = undo;
  const close = useCallback(() => onClose(at), [at, onClose]);
  useEffect(() => {
    if (held || status === 'pending' || status === 'error') return;
    const end = status === 'success' ? close : () => setFaded(true);
    const timer = setTimeout(end, status === 'success' && left === null ? UNDONE_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, status, left, close]);
  useEffect(() => {
    if (status !== 'idle') return;
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || isTyping(event.target)) return;
      event.preventDefault();
      setFaded(false);
      mutate();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [status, mutate]);
  if (faded) return null;
  const said = status === 'success' ? left : (text ?? null);
  return (
    <aside
      className={classes.undo}
      aria-label={PROBLEMS.undo}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {status === 'error' ? (
        <Problem error={undo.error} title={failed} again={mutate} />
      ) : (
        <div className={classes.words}>
          <p className={classes.title}>
            {status !== 'success' ? title : left === null ? PROBLEMS.undone : PROBLEMS.partlyUndone}
          </p>
          {said === null ? null : <p className={classes.text}>{said}</p>}
          {status === 'success' ? null : <VisuallyHidden>{PROBLEMS.undoKeys}</VisuallyHidden>}
        </div>
      )}
      <div className={classes.undoActions}>
        {status === 'idle' || status === 'pending' ? (
          <Button
            size="xs"
            loading={status === 'pending'}
            aria-keyshortcuts={PROBLEMS.undoShortcut}
            onClick={() => mutate()}
          >
            {PROBLEMS.undo}
          </Button>
        ) : null}
        {status !== 'idle' || also === undefined ? null : (
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              close();
              also.onClick();
            }}
          >
            {also.label}
          </Button>
        )}
        <ActionIcon variant="transparent" color="gray" aria-label={PROBLEMS.dismiss} onClick={close}>
          <Icon name="close" />
        </ActionIcon>
      </div>
    </aside>
  );
}

/** Whether the keys are meant for a field, which undoes what was typed. */
function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio';
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

import { ActionIcon, Button, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { PROBLEMS } from '../text/problems.ts';
import { Icon } from './icon.tsx';
import classes from './notice.module.css';
import { Problem } from './page-states.tsx';

/** Something that was just done and can be taken back. */
export interface Undoable {
  readonly title: string;
  readonly text?: string;
  readonly undo: () => unknown;
  /** What to say if it cannot be taken back. */
  readonly failed: string;
  /** What could be done next. */
  readonly also?: { readonly label: string; readonly onClick: () => void };
}

interface Offer {
  readonly at: number;
  readonly done: Undoable;
}

let offer: Offer | null = null;
let offers = 0;
const watchers = new Set<() => void>();

function show(next: Offer | null): void {
  offer = next;
  for (const tell of watchers) tell();
}

/** Offers to undo what was just done, whichever page is shown. It replaces an earlier offer. */
export function offerUndo(done: Undoable): void {
  offers += 1;
  show({ at: offers, done });
}

/** For a page that is left: takes back what it offered to do next. Undoing stays possible. */
export function withdrawNext(): void {
  if (offer?.done.also === undefined) return;
  const { also: _, ...done } = offer.done;
  show({ ...offer, done });
}

function watch(tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}

/** The offer to undo what was done last, at the bottom of whichever page is shown. */
export function UndoNotice() {
  const shown = useSyncExternalStore(watch, () => offer);
  // The status is there before it says anything, or it would not be announced.
  return <div role="status">{shown === null ? null : <Offered key={shown.at} offer={shown} />}</div>;
}

const SHOWN_MS = 10_000;
const UNDONE_MS = 4_000;

/** Stays while the pointer or the focus is in it, so that no one has to hurry. */
function Offered({ offer: { at, done } }: { readonly offer: Offer }) {
  const { title, text, failed, also } = done;
  const [held, setHeld] = useState(false);
  const undo = useMutation({ mutationFn: async () => done.undo() });
  const { mutate, status } = undo;
  const close = useCallback(() => {
    if (offer?.at === at) show(null);
  }, [at]);
  useEffect(() => {
    if (held || status === 'pending' || status === 'error') return;
    const timer = setTimeout(close, status === 'success' ? UNDONE_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, status, close]);
  useEffect(() => {
    if (status !== 'idle') return;
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || isTyping(event.target)) return;
      event.preventDefault();
      mutate();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [status, mutate]);
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
          <p className={classes.title}>{status === 'success' ? PROBLEMS.undone : title}</p>
          {status === 'success' || text === undefined ? null : <p className={classes.text}>{text}</p>}
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

import { type ComponentProps, useSyncExternalStore } from 'react';
import { laterPart } from './later-part.tsx';
import type { UndoOffer as LaterOffer, Offer, Undoable } from './undo-offer.tsx';

const UndoOffer = laterPart<ComponentProps<typeof LaterOffer>>({
  name: 'undo-offer',
  load: async () => (await import('./undo-offer.tsx')).UndoOffer,
  loading: () => null,
});

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

function close(at: number): void {
  if (offer?.at === at) show(null);
}

/** The offer to undo what was done last, at the bottom of whichever page is shown. */
export function UndoNotice() {
  const shown = useSyncExternalStore(watch, () => offer);
  // The status is there before it says anything, or it would not be announced.
  return (
    <div role="status">
      {shown === null ? null : <UndoOffer key={shown.at} offer={shown} onClose={close} />}
    </div>
  );
}

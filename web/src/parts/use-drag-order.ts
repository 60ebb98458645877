import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DragTarget } from './drag-target.ts';

interface DragOrderOptions<T> {
  /** The order as it is stored. */
  readonly order: T;
  /** A new object whenever the stored order changes. */
  readonly version: unknown;
  /** The `data-order-kind`s on which something can be dropped. */
  readonly kinds: (id: string) => readonly string[];
  /** The order after one step up (-1) or down (1); null if there is none. */
  readonly step: (order: T, id: string, by: -1 | 1) => T | null;
  /** The order with `id` where the pointer is; null leaves it as it is. */
  readonly over: (order: T, id: string, target: DragTarget) => T | null;
  /** Stores the order. Called once per drag, and only if something moved. */
  readonly save: (id: string, order: T) => void;
  readonly words: {
    readonly lifted: (id: string, order: T) => string;
    readonly moved: (id: string, order: T) => string;
    readonly dropped: (id: string, order: T) => string;
    readonly cancelled: (id: string, order: T) => string;
  };
}

export interface GripHandlers {
  readonly 'data-grip': string;
  readonly 'aria-pressed': boolean;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export interface DragOrder<T> {
  /** The order to show: while something is dragged, with it where it would be dropped. */
  readonly order: T;
  readonly lifted: string | null;
  /** What has just happened, for a live region. */
  readonly said: string;
  readonly grip: (id: string) => GripHandlers;
  /** A single step, as in menus. */
  readonly move: (id: string, by: -1 | 1) => void;
}

interface Drag<T> {
  readonly id: string;
  readonly order: T;
  readonly moved: boolean;
  readonly isByKey: boolean;
}

/** The dropped order, shown until the stored one follows, so that nothing jumps back. */
interface Dropped<T> {
  readonly order: T;
  readonly version: unknown;
}

/** How far a drag near the edge of the window scrolls per frame. */
const EDGE_PX = 72;
const SCROLL_PX = 9;

/**
 * Dragging by pointer, touch and keyboard: Space lifts and drops, arrows move, Escape cancels. The list shows the new
 * order while it is dragged, and it is stored once, when it is dropped.
 */
export function useDragOrder<T>(options: DragOrderOptions<T>): DragOrder<T> {
  const [drag, setDrag] = useState<Drag<T> | null>(null);
  const [dropped, setDropped] = useState<Dropped<T> | null>(null);
  const [said, setSaid] = useState('');
  const current = useRef({ options, drag });
  current.current.options = options;

  const change = (next: Drag<T> | null) => {
    current.current.drag = next;
    setDrag(next);
  };
  const lift = (id: string, isByKey: boolean) => {
    const { order, words } = current.current.options;
    change({ id, order, moved: false, isByKey });
    setSaid(words.lifted(id, order));
  };
  const place = (next: T | null) => {
    const now = current.current.drag;
    if (now === null || next === null) return;
    change({ ...now, order: next, moved: true });
    setSaid(current.current.options.words.moved(now.id, next));
  };
  const drop = () => {
    const { drag: now, options: latest } = current.current;
    if (now === null) return;
    change(null);
    setSaid(latest.words.dropped(now.id, now.order));
    if (!now.moved) return;
    setDropped({ order: now.order, version: latest.version });
    latest.save(now.id, now.order);
  };
  const cancel = () => {
    const { drag: now, options: latest } = current.current;
    if (now === null) return;
    change(null);
    setSaid(latest.words.cancelled(now.id, latest.order));
  };
  const move = (id: string, by: -1 | 1) => {
    const { order, step, words, save } = current.current.options;
    const next = step(order, id, by);
    if (next === null) return;
    setSaid(words.dropped(id, next));
    save(id, next);
  };

  const endPointer = useRef<(() => void) | null>(null);
  useEffect(() => () => endPointer.current?.(), []);
  const startPointer = (id: string, event: PointerEvent) => {
    if (event.button !== 0) return;
    endPointer.current?.();
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
    event.preventDefault();
    lift(id, false);
    endPointer.current = followPointer(event.clientX, event.clientY, {
      at: (x, y) => {
        const { drag: now, options: latest } = current.current;
        if (now === null) return;
        const target = targetAt(x, y, latest.kinds(id));
        if (target !== null) place(latest.over(now.order, id, target));
      },
      end: (finished) => {
        endPointer.current = null;
        if (finished) drop();
        else cancel();
      },
    });
  };

  const onKey = (id: string, event: KeyboardEvent) => {
    const now = current.current.drag;
    if (now?.id !== id) {
      if (event.key !== ' ' && event.key !== 'Enter') return;
      event.preventDefault();
      lift(id, true);
      return;
    }
    if (event.key === 'Tab') return drop();
    const action = KEYS[event.key];
    if (action === undefined) return;
    event.preventDefault();
    if (action === 'drop') drop();
    else if (action === 'cancel') cancel();
    else place(current.current.options.step(now.order, id, action));
  };

  useGripFocus(drag);
  const isWaiting = dropped !== null && dropped.version === options.version;
  const settled = isWaiting ? dropped.order : options.order;
  return {
    order: drag?.order ?? settled,
    lifted: drag?.id ?? null,
    said,
    move,
    grip: (id) => ({
      'data-grip': id,
      'aria-pressed': drag?.id === id,
      onPointerDown: (event) => startPointer(id, event),
      onKeyDown: (event) => onKey(id, event),
    }),
  };
}

const KEYS: Readonly<Record<string, 'drop' | 'cancel' | -1 | 1>> = {
  ' ': 'drop',
  Enter: 'drop',
  Escape: 'cancel',
  ArrowUp: -1,
  ArrowDown: 1,
};

/**
 * An element that moves within the document loses the focus, and further keys would have no effect. The grip gets it
 * back until the person moves it elsewhere.
 */
function useGripFocus(drag: Drag<unknown> | null): void {
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (drag !== null) wanted.current = drag.id;
    if (wanted.current === null) return;
    const grip = document.querySelector(`[data-grip="${CSS.escape(wanted.current)}"]`);
    if (!(grip instanceof HTMLElement)) return;
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === null) grip.focus({ preventScroll: true });
    else if (activeElement !== grip && drag === null) wanted.current = null;
    if (drag?.isByKey === true) grip.scrollIntoView({ block: 'nearest' });
  });
}

/** Follows a pointer until it is released, wherever it goes, since the element on which it began moves meanwhile. */
function followPointer(
  x: number,
  y: number,
  { at, end }: { readonly at: (x: number, y: number) => void; readonly end: (finished: boolean) => void },
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let lastY = y;
  let frame = 0;
  const scroll = () => {
    const by = lastY < EDGE_PX ? -SCROLL_PX : lastY > window.innerHeight - EDGE_PX ? SCROLL_PX : 0;
    if (by !== 0) {
      window.scrollBy(0, by);
      at(x, lastY);
    }
    frame = requestAnimationFrame(scroll);
  };
  frame = requestAnimationFrame(scroll);
  const stop = () => {
    listening.abort();
    cancelAnimationFrame(frame);
  };
  const finish = (finished: boolean) => () => {
    stop();
    end(finished);
  };
  window.addEventListener(
    'pointermove',
    ({ clientY }) => {
      lastY = clientY;
      at(x, clientY);
    },
    { signal },
  );
  window.addEventListener('pointerup', finish(true), { signal });
  window.addEventListener('pointercancel', finish(false), { signal });
  return stop;
}

/** Searches along the grip's column, so that a pointer that strays to the side still finds the rows. */
function targetAt(x: number, y: number, kinds: readonly string[]): DragTarget | null {
  const selector = kinds.map((kind) => `[data-order-kind="${kind}"]`).join();
  const element = document.elementFromPoint(x, y)?.closest(selector);
  if (!(element instanceof HTMLElement)) return null;
  const { orderKind: kind, orderId: id } = element.dataset;
  if (kind === undefined || id === undefined) return null;
  const { top, height } = element.getBoundingClientRect();
  return { kind, id, half: y < top + height / 2 ? 'upper' : 'lower' };
}

import { VisuallyHidden } from '@mantine/core';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { PROBLEMS } from '../text/problems.ts';
import { LIST_MOVES } from './list-keys.ts';
import classes from './rows.module.css';

interface VirtualListProps {
  readonly count: number;
  /** The height of an entry in pixels, before it is measured. */
  readonly sizeOf: (at: number) => number;
  readonly keyOf: (at: number) => string;
  /** Whether an entry is a row, and not a heading above rows. */
  readonly isRow: (at: number) => boolean;
  /** A new one draws every entry again. `focus`: what a row's button takes, where rows can be opened. */
  readonly draw: (at: number, focus: RowFocus) => ReactNode;
  /** Called near the end; null if there is nothing to do then. */
  readonly onEnd: (() => unknown) | null;
  /** Whether each row has a button. */
  readonly opens?: boolean;
}

export interface RowFocus {
  readonly tabIndex: 0 | -1;
  readonly onFocus: () => void;
}

/** Rows drawn beyond the visible ones, so that fast scrolling shows no gaps. */
const BEYOND = 12;
/** How many remaining entries count as near the end. */
const NEAR = 30;
/** Rows that are printed: about forty pages. More are better read in a file. */
const MOST_PRINTED = 2_000;
/** What the navigation of a phone covers at the bottom. */
const COVERED_PX = 72;

/**
 * A list of any length, of which only the visible rows and the focused one are drawn. It scrolls with the
 * page. One row at a time can be reached by Tab; arrow and page keys, j and k move between rows.
 */
export function VirtualList({ count, sizeOf, keyOf, isRow, draw, onEnd, opens = false }: VirtualListProps) {
  const list = useRef<HTMLOListElement>(null);
  const hint = useId();
  const [top, setTop] = useState(0);
  const [chosen, setChosen] = useState<number | null>(null);
  const moved = useRef(false);
  const current = currentRow({ count, isRow }, chosen);
  // What is above the list may grow: a bank that cannot be read, filters that take a second line.
  useLayoutEffect(() => {
    const measure = () => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    measure();
    const observer = new ResizeObserver(measure);
    if (list.current?.parentElement != null) observer.observe(list.current.parentElement);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: sizeOf,
    getItemKey: keyOf,
    overscan: BEYOND,
    scrollMargin: top,
    scrollPaddingEnd: COVERED_PX,
    rangeExtractor: useCallback((range: Range) => withRow(range, opens ? current : -1), [opens, current]),
  });
  const printing = usePrinting();
  const items = printing
    ? Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, index) => ({
        key: keyOf(index),
        index,
        start: top,
      }))
    : virtual.getVirtualItems();
  const isNear = count - (virtual.range?.endIndex ?? 0) <= NEAR;
  useEffect(() => {
    if (isNear) onEnd?.();
  }, [isNear, onEnd]);
  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    list.current
      ?.querySelector<HTMLElement>(`[data-index="${current}"] button`)
      ?.focus({ preventScroll: true });
  }, [current]);
  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const screenful = Math.max(1, Math.floor(window.innerHeight / sizeOf(current)) - 2);
    const next = opens ? rowFor(event.key, { count, isRow, current, screenful }) : null;
    if (next === null) return;
    event.preventDefault();
    moved.current = next !== current;
    setChosen(next);
    virtual.scrollToIndex(next);
  };
  return (
    <>
      {opens ? <VisuallyHidden id={hint}>{PROBLEMS.listKeys}</VisuallyHidden> : null}
      <ol
        className={`${classes.list} ${printing ? classes.printed : ''}`}
        ref={list}
        style={printing ? {} : { height: virtual.getTotalSize() }}
        aria-describedby={opens ? hint : undefined}
        onKeyDown={move}
      >
        {items.map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className={classes.entry}
            style={printing ? {} : { transform: `translateY(${start - top}px)` }}
            aria-posinset={index + 1}
            aria-setsize={onEnd === null ? count : -1}
          >
            <Drawn draw={draw} at={index} isCurrent={index === current} choose={setChosen} />
          </li>
        ))}
      </ol>
      {printing && count > MOST_PRINTED ? <p>{PROBLEMS.printedOnly(MOST_PRINTED, count)}</p> : null}
    </>
  );
}

interface DrawnProps extends Pick<VirtualListProps, 'draw'> {
  readonly at: number;
  readonly isCurrent: boolean;
  readonly choose: (at: number) => void;
}

/** An entry, which stays as it is while the list scrolls. */
const Drawn = memo(function Drawn({ draw, at, isCurrent, choose }: DrawnProps) {
  return draw(at, { tabIndex: isCurrent ? 0 : -1, onFocus: () => choose(at) });
});

/** Whether the page is being printed: then rows out of view count as well. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    // The browser prints the page as it is when the event has been handled.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return printing;
}

/** The row that Tab reaches: the one chosen last, if it still exists, or else the first. */
function currentRow(
  { count, isRow }: Pick<VirtualListProps, 'count' | 'isRow'>,
  chosen: number | null,
): number {
  if (chosen !== null && chosen < count && isRow(chosen)) return chosen;
  for (let at = 0; at < count; at++) if (isRow(at)) return at;
  return -1;
}

/** The focused row stays drawn when it is scrolled out of view, or the focus would be lost. */
function withRow(range: Range, row: number): number[] {
  const shown = defaultRangeExtractor(range);
  return row < 0 || shown.includes(row) ? shown : [...shown, row].sort((a, b) => a - b);
}

interface Rows {
  readonly count: number;
  /** Whether an entry of the list is a row, and not a heading above rows. */
  readonly isRow: (at: number) => boolean;
}

interface Place extends Rows {
  readonly current: number;
  /** How many rows fit on the screen. */
  readonly screenful: number;
}

/** The index of the row that a key leads to, or null for a key that means nothing to a list. */
function rowFor(key: string, { current, screenful, ...rows }: Place): number | null {
  switch (LIST_MOVES[key] ?? key) {
    case 'ArrowDown':
    case 'next':
      return nextRow(rows, current, 1, 1);
    case 'ArrowUp':
    case 'previous':
      return nextRow(rows, current, -1, 1);
    case 'PageDown':
      return nextRow(rows, current, 1, screenful);
    case 'PageUp':
      return nextRow(rows, current, -1, screenful);
    case 'Home':
      return nextRow(rows, -1, 1, 1);
    case 'End':
      return nextRow(rows, rows.count, -1, 1);
    default:
      return null;
  }
}

/** The row this many rows further, or the last one in that direction; headings do not count. */
function nextRow({ count, isRow }: Rows, from: number, step: 1 | -1, most: number): number | null {
  let found = from >= 0 && from < count && isRow(from) ? from : null;
  let left = most;
  for (let at = from + step; left > 0 && at >= 0 && at < count; at += step) {
    if (!isRow(at)) continue;
    found = at;
    left -= 1;
  }
  return found;
}

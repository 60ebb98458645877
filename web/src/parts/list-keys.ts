/** The keys that move between rows of any list. */
export const LIST_MOVES: Readonly<Record<string, 'next' | 'previous'>> = { j: 'next', k: 'previous' };

/** What is a row: an entry of a list or a line of a table that holds one of these, the first of which opens it. */
const ROWS = 'main li, main tbody > tr';
const OPENER = 'a[href], button:not(:disabled), input[type="checkbox"]:not(:disabled)';
const CHOICE = 'input[type="checkbox"]:not(:disabled)';
/** Where keys are typed, or have a meaning of their own. */
const OWN_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], dialog';
/** Lists that are none of rows: the parts of a page, crumbs, the entries of a menu. */
const NO_LIST = 'nav, [role="menu"], [role="tablist"], dialog';

const OFF = 'tributary-list-keys-off';

/** Whether single keys do something; a person may turn them off, since speech and switches type them by accident. */
export function listKeysOn(): boolean {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
}

export function turnListKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'yes');
  } catch {
    // Without storage they stay on.
  }
}

/**
 * j and k move between the rows of whichever list the page shows, x ticks the row's box, and ? asks for the list of
 * keys. Enter opens a row because the focus is on what opens it. Returns what ends it.
 */
export function followListKeys(onHelp: () => void): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const at = event.target;
    if (!(at instanceof Element) || at.closest(OWN_KEYS) !== null || document.querySelector('dialog[open]'))
      return;
    if (!listKeysOn()) return;
    if (event.key === '?') onHelp();
    else if (event.key === 'x') rowOf(at)?.querySelector<HTMLElement>(CHOICE)?.click();
    else if (LIST_MOVES[event.key] !== undefined) move(at, LIST_MOVES[event.key] === 'next' ? 1 : -1);
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}

function move(from: Element, step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)].filter(
    (row) => row.closest(NO_LIST) === null && row.checkVisibility() && openerOf(row) !== null,
  );
  const here = rows.findIndex((row) => openerOf(row) === from || row === rowOf(from));
  const next = here === -1 ? rows.find(isInView) : rows[here + step];
  if (next === undefined) return;
  openerOf(next)?.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

function rowOf(element: Element): Element | null {
  return element.closest(ROWS);
}

/** What opens the row itself, and not a row inside it. */
function openerOf(row: Element): HTMLElement | null {
  return [...row.querySelectorAll<HTMLElement>(OPENER)].find((one) => rowOf(one) === row) ?? null;
}

function isInView(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

const ROWS = ':is(ul,ol,tbody)';
const ROW = ':scope > li, :scope > tr';
const MENU_BUTTON = 'button[aria-haspopup="menu"]';

/**
 * Where the focus goes when a dialog closes: to what opened it. A menu item is gone by then, so it is the menu's
 * button; a row may be deleted, so the next candidates are the buttons of the rows around it, then the heading. Call it
 * while the opener still exists.
 */
export function focusReturn(): { readonly opener: HTMLElement | null; readonly giveBack: () => void } {
  const opener = openerOf(document.activeElement);
  const after = opener === null ? [] : buttonsAround(opener);
  const heading = opener?.closest('section')?.querySelector<HTMLElement>('h2') ?? null;
  const next = () => {
    const found = [opener, ...after].find((one) => one?.isConnected === true && one.checkVisibility());
    const place =
      found ?? (heading?.isConnected === true ? heading : document.querySelector<HTMLElement>('main h1'));
    // A heading takes the focus by script only.
    if (place?.matches('h1, h2') === true) place.tabIndex = -1;
    place?.focus({ preventScroll: true });
    return place ?? null;
  };
  return {
    opener,
    giveBack: () => {
      if (opener === null) return;
      const place = next();
      if (place === opener) whenLost(opener, next);
    },
  };
}

/** A list is refetched after one of its rows is deleted, so the row disappears shortly after the dialog. */
function whenLost(place: HTMLElement, then: () => void): void {
  const stop = () => {
    observer.disconnect();
    document.removeEventListener('focusin', stop);
  };
  const observer = new MutationObserver(() => {
    if (place.isConnected) return;
    stop();
    if (document.activeElement === null || document.activeElement === document.body) then();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', stop);
}

function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (typeof button === 'string') return document.getElementById(button);
  return focused instanceof HTMLElement && focused !== document.body ? focused : null;
}

/** The buttons of the rows after it, then of those before it, nearest first. */
function buttonsAround(opener: HTMLElement): readonly HTMLElement[] {
  const rows = [...(opener.closest(ROWS)?.querySelectorAll(ROW) ?? [])];
  const own = rows.findIndex((row) => row.contains(opener));
  if (own === -1) return [];
  return [...rows.slice(own + 1), ...rows.slice(0, own).reverse()].flatMap(
    (row) => row.querySelector<HTMLElement>(MENU_BUTTON) ?? [],
  );
}

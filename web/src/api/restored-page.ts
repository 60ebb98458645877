/**
 * Loads a page anew that the browser shows again from its memory after another one: its buttons would still wait for the
 * page that was left for, and after signing out it would show the figures of the person who was signed in.
 */
export function reloadRestoredPages(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}

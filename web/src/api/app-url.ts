import { SHOWN_RECORD_FIELD } from '../../../src/vocabulary/shown-record.ts';
import { shownRecord } from './shown-record.ts';

/** An address of this installation, which may be reached below its own path (APP_URL). */
export function appUrl(path: string): URL {
  return new URL(path, document.baseURI);
}

/** The sign-in page, with a return to the current page, and to the account record that it shows. */
export function signIn(): URL {
  const url = appUrl('sign-in');
  url.searchParams.set('next', `${location.pathname}${location.search}`);
  const record = shownRecord();
  if (record !== null) url.searchParams.set(SHOWN_RECORD_FIELD, record);
  return url;
}

/**
 * Sends the person to sign in and back to the current page. The promise never resolves, because the page is about to
 * unload.
 */
export function leaveToSignIn(): Promise<never> {
  location.assign(signIn());
  return new Promise(() => undefined);
}

/** The page for signing in again before creating what outlasts the session (docs/sign-in.md#sessions). */
export function freshSignIn(): URL {
  const url = signIn();
  url.searchParams.set('notice', 'fresh');
  return url;
}

/** An address of this installation, which may be reached below a path of its own (APP_URL). */
export function appUrl(path: string): URL {
  return new URL(path, document.baseURI);
}

/** Where somebody signs in and comes back to where they are. */
export function signIn(): URL {
  const url = appUrl('sign-in');
  url.searchParams.set('next', `${location.pathname}${location.search}`);
  return url;
}

/** Has the person sign in and come back to where they are. The promise stays open: the page is about to go. */
export function leaveToSignIn(): Promise<never> {
  location.assign(signIn());
  return new Promise(() => undefined);
}

/** Where somebody signs in again before they make what outlasts their session (docs/sign-in.md#sessions). */
export function freshSignIn(): URL {
  const url = signIn();
  url.searchParams.set('notice', 'fresh');
  return url;
}

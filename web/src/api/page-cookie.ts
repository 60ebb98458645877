import { LANGUAGE_COOKIE, type Language } from '../../../src/vocabulary/languages.ts';

/** As long as browsers keep any cookie. */
const SECONDS = 400 * 86_400;

/** Leaves a choice for the pages that the service writes; null takes it back. */
export function leavePageCookie(name: string, value: string | null): void {
  const { protocol, pathname } = new URL(document.baseURI);
  const seconds = value === null ? 0 : SECONDS;
  const secure = protocol === 'https:' ? '; Secure' : '';
  // The Cookie Store API is not there over plain http, nor in every browser that people use.
  document.cookie = `${name}=${value ?? ''}; Path=${pathname}; Max-Age=${String(seconds)}; SameSite=Lax${secure}`;
}

/** Shows the application in the language from now on; what was entered on the page is lost. */
export function chooseLanguage(language: Language): void {
  leavePageCookie(LANGUAGE_COOKIE, language);
  location.reload();
}

import { ENGLISH, isLanguage, type Language } from '../../../src/vocabulary/languages.ts';

/** The person's own, as reported by the browser. */
export const LOCALE: readonly string[] = navigator.languages.length > 0 ? [...navigator.languages] : ['en'];

/** Absent outside browsers, where tests read words. */
const page: { readonly documentElement: { readonly lang: string } } | undefined = Reflect.get(
  globalThis,
  'document',
);

/** The language of the page, as the service wrote it there. */
export const LANGUAGE: Language = languageOf(page?.documentElement.lang ?? ENGLISH);

function languageOf(text: string): Language {
  return isLanguage(text) ? text : ENGLISH;
}

/** A language with the region of a locale: words of the one, and the date order of the other. */
export function wordsLocale(locale: string, language: Language): string {
  const { language: own, region } = new Intl.Locale(locale).maximize();
  if (own === language) return locale;
  return region === undefined ? language : `${language}-${region}`;
}

/**
 * For what the browser puts into words: relative times, months, weekdays, lists and plurals. English if it does not know
 * the language of the page, as Chromium does not know te reo Māori: left to itself, it would take its own.
 */
export const WORDS_LOCALE = wordsLocale(
  LOCALE[0] ?? ENGLISH,
  Intl.DateTimeFormat.supportedLocalesOf(LANGUAGE).length > 0 ? LANGUAGE : ENGLISH,
);

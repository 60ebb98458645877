/** The person's own, as reported by the browser. */
export const LOCALE: readonly string[] = navigator.languages.length > 0 ? [...navigator.languages] : ['en'];

/** English with the region of a locale, for English words and the region's date order. */
export function wordsLocale(locale: string): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  if (language === 'en') return locale;
  return region === undefined ? 'en' : `en-${region}`;
}

/** For what has words in it: relative times, months and weekdays. */
export const WORDS_LOCALE = wordsLocale(LOCALE[0] ?? 'en');

/** The person's own, as their browser says it. */
export const LOCALE: readonly string[] = navigator.languages.length > 0 ? [...navigator.languages] : ['en'];

/** English of the region of a locale: its words are in English sentences, its dates are ordered as people there write them. */
export function wordsLocale(locale: string): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  if (language === 'en') return locale;
  return region === undefined ? 'en' : `en-${region}`;
}

/** For what has words in it: relative times, months and weekdays. */
export const WORDS_LOCALE = wordsLocale(LOCALE[0] ?? 'en');

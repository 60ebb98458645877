/** The languages of the web application, by code (BCP 47), with the names that their speakers use. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  mi: 'Te reo Māori',
} as const;

export type Language = keyof typeof LANGUAGES;

/** The language of the application itself, and of those who prefer none of the others. */
export const ENGLISH = 'en' satisfies Language;

/**
 * The cookie in which the web application leaves the language that a person chose, for the page that starts it. It
 * contains nothing else and grants nothing, so scripts may write it.
 */
export const LANGUAGE_COOKIE = 'tributary-language';

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** All codes, in the order of the table. */
export const LANGUAGE_CODES: readonly Language[] = Object.keys(LANGUAGES).filter(isLanguage);

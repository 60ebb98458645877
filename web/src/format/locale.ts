/** The person's own, as their browser says it. */
export const LOCALE: readonly string[] = navigator.languages.length > 0 ? [...navigator.languages] : ['en'];

/** The themes of pages that a person can choose. Without a choice, pages follow the device. */
export const THEMES = ['light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

/**
 * The cookie in which the web application leaves the choice, for the pages that the service writes itself. It contains
 * nothing else and grants nothing, so scripts may write it.
 */
export const THEME_COOKIE = 'tributary-theme';
